import {
  Artifact,
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
import type { ProjectModel } from '../generated/models.js';
import { asked, type Prisma } from './prisma-client.js';
import { type Context, contextsOf } from './prisma-contexts.js';
import { type EndedChild, endedChildrenOf } from './prisma-ended-children.js';
import { allFitting, fitting, redacted } from './untrusted.js';

const Deliverable = Artifact.shape.deliverable.unwrap();

type Newest = Pick<ProjectModel, 'id' | 'version' | 'state'>;

interface TeamFace {
  readonly team: Team | null;
  readonly tasks: readonly ProjectTask[];
  readonly messages: readonly TeamMessage[];
}

/** What children that have ended, and the state, say about a team beyond what its newest checkpoint does. */
export type WithEnded = (face: TeamFace, ended: readonly EndedChild[], state: string) => TeamFace;

/**
 * What a project's team is, does and says, from the project's newest checkpoint, and, for members that are at work by it,
 * from the projects of those that have ended since. What does not fit is left out.
 */
export class PrismaTeamReads {
  constructor(
    private readonly prisma: Prisma,
    private readonly withEnded: WithEnded,
  ) {}

  async team(projectId: string): Promise<Team> {
    const { team } = await this.face(projectId, 'team');
    if (team) return redacted(team);
    throw new UserError(
      'TEAM_NONE',
      'The project has no team: either its mode works without one, or it is not composed yet. Its events tell when.',
    );
  }

  async tasks(projectId: string, query: PageQuery): Promise<Page<ProjectTask>> {
    return pageOf((await this.face(projectId, 'tasks')).tasks, query);
  }

  async messages(projectId: string, query: PageQuery): Promise<Page<TeamMessage>> {
    return pageOf((await this.face(projectId, 'messages')).messages, query);
  }

  async findings(projectId: string, { priority, ...query }: FindingQuery): Promise<Page<Finding>> {
    const { findings } = await this.context(projectId, ['findings']);
    const all = allFitting(Finding, findings);
    return pageOf(priority === undefined ? all : all.filter((one) => one.priority === priority), query);
  }

  /** Documents that it was to write, with the commits that have them. */
  async deliverables(projectId: string): Promise<readonly NonNullable<Artifact['deliverable']>[]> {
    return redacted(allFitting(Deliverable, (await this.context(projectId, ['deliverables']))['deliverables']));
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

  /** The team, and one part more. */
  private async face(projectId: string, part: keyof TeamFace): Promise<TeamFace> {
    const row = await this.row(projectId);
    if (!row) return { team: null, tasks: [], messages: [] };
    const { team, tasks, messages } = await this.contextAt(row, ['team', part]);
    const face = {
      team: teamIn(team),
      tasks: allFitting(ProjectTask, tasks),
      messages: allFitting(TeamMessage, messages),
    };
    const isAtWork = face.team?.members.some(({ status }) => status === 'running') ?? false;
    return this.withEnded(face, isAtWork ? await endedChildrenOf(this.prisma, row) : [], row.state);
  }

  private async context(id: string, keys: readonly string[]): Promise<Context> {
    const row = await this.row(id);
    return row ? this.contextAt(row, keys) : {};
  }

  private row(id: string): Promise<Newest | null> {
    const select = { id: true, version: true, state: true };
    return asked(() => this.prisma.project.findUnique({ where: { id }, select }));
  }

  private async contextAt(row: Newest, keys: readonly string[]): Promise<Context> {
    return (await contextsOf(this.prisma, [row], [...new Set(keys)])).get(row.id) ?? {};
  }
}

function teamIn(value: unknown): Team | null {
  const parts = fieldsOf(value);
  return fitting(Team, { ...parts, members: allFitting(TeamMember, parts['members']) });
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
