import {
  decodeNumberCursor,
  encodeNumberCursor,
  Finding,
  type FindingQuery,
  HealAttempt,
  HealProblem,
  type Page,
  type PageQuery,
  ProjectTask,
  Team,
  TeamMember,
  TeamMessage,
} from '#contracts';
import { UserError } from '#kernel';
import { asked, type Prisma } from './prisma-client.js';
import { type Context, contextsOf } from './prisma-contexts.js';
import { allFitting, fitting, redacted } from './untrusted.js';

/** What a project's team is, does and says, from the project's newest checkpoint. What does not fit is left out. */
export class PrismaTeamReads {
  constructor(private readonly prisma: Prisma) {}

  async team(projectId: string): Promise<Team> {
    const { team } = await this.context(projectId, ['team']);
    const parts = fieldsOf(team);
    const found = fitting(Team, { ...parts, members: allFitting(TeamMember, parts['members']) });
    if (found) return redacted(found);
    throw new UserError(
      'TEAM_NONE',
      'The project has no team: either its mode works without one, or it is not composed yet. Its events tell when.',
    );
  }

  async tasks(projectId: string, query: PageQuery): Promise<Page<ProjectTask>> {
    const { tasks } = await this.context(projectId, ['tasks']);
    return pageOf(allFitting(ProjectTask, tasks), query);
  }

  async messages(projectId: string, query: PageQuery): Promise<Page<TeamMessage>> {
    const { messages } = await this.context(projectId, ['messages']);
    return pageOf(allFitting(TeamMessage, messages), query);
  }

  async findings(projectId: string, { priority, ...query }: FindingQuery): Promise<Page<Finding>> {
    const { findings } = await this.context(projectId, ['findings']);
    const all = allFitting(Finding, findings);
    return pageOf(priority === undefined ? all : all.filter((one) => one.priority === priority), query);
  }

  /** With what each attempt of the page changed and printed, which has keys of its own. */
  async problems(projectId: string, query: PageQuery): Promise<Page<HealProblem>> {
    const { problems } = await this.context(projectId, ['problems']);
    const { data, nextCursor } = pageOf(problemsIn(problems), query);
    const keys = data.flatMap(({ id, attempts }) => attempts.map(({ number }) => attemptKey(id, number)));
    const details = keys.length === 0 ? {} : await this.context(projectId, keys);
    const whole = data.map((problem) => ({
      ...problem,
      attempts: problem.attempts.map((attempt) => withDetail(attempt, details[attemptKey(problem.id, attempt.number)])),
    }));
    return { data: redacted(whole), nextCursor };
  }

  private async context(id: string, keys: readonly string[]): Promise<Context> {
    const select = { id: true, version: true };
    const row = await asked(() => this.prisma.project.findUnique({ where: { id }, select }));
    return (row && (await contextsOf(this.prisma, [row], keys)).get(id)) ?? {};
  }
}

const attemptKey = (problem: string, number: number): string => `attempt-${problem}-${String(number)}`;

/** A problem keeps those of its attempts that fit. */
function problemsIn(problems: unknown): HealProblem[] {
  if (!Array.isArray(problems)) return [];
  const mended = problems.map(fieldsOf).map((fields) => ({
    ...fields,
    attempts: allFitting(HealAttempt, fields['attempts']),
  }));
  return allFitting(HealProblem, mended);
}

function withDetail(attempt: HealAttempt, detail: unknown): HealAttempt {
  const { diff = attempt.diff, output = attempt.output } = fieldsOf(detail);
  return fitting(HealAttempt, { ...attempt, diff, output }) ?? attempt;
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

function pageOf<T>(all: readonly T[], { cursor, limit }: PageQuery): Page<T> {
  const from = cursor === undefined ? 0 : decodeNumberCursor(cursor);
  const nextCursor = all.length > from + limit ? encodeNumberCursor(from + limit) : null;
  return { data: redacted(all.slice(from, from + limit)), nextCursor };
}
