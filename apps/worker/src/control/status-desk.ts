import type { LiveProcess, Project, StatusReport } from '#contracts';
import { statusPage, type StatusFacts } from '#control';
import { errorMessage, UserError } from '#kernel';
import { type ApiStores, type Database, familyUnderWay, inWorldlyTerms, runningEffects } from '#persistence';
import type { Artefacts, GitWorktrees } from '#workspace';
import { pendingNow } from './pending-now.js';

const PAGE = 'STATUS.md';
const LAST_EVENTS = 20;

export interface StatusParts {
  readonly pool: Database;
  readonly stores: () => Pick<ApiStores, 'reads' | 'teams'>;
  readonly processes: { list(projectId?: string): Promise<readonly LiveProcess[]> };
  readonly worktrees: Pick<GitWorktrees, 'made' | 'pending'>;
  readonly artefacts: Pick<Artefacts, 'write'>;
  readonly now: () => Date;
}

/** Says where a project stands, in any state, from what everybody can read: nobody is asked, and nobody interrupted. */
export class StatusDesk {
  constructor(private readonly parts: StatusParts) {}

  async report(projectId: string): Promise<StatusReport> {
    const facts = await this.facts(projectId);
    const unwritten = await this.write(facts);
    const { project, doing, members, processes, problems, gates, at } = facts;
    const { state, status, waitingFor, budget, findings } = project;
    return {
      at: at.toISOString(),
      ...{ state, status, waitingFor, budget, findings },
      doing: doing.map((one) => ({ ...one })),
      agents: members.map(({ agent, status: how }) => ({ agent, status: how })),
      processes: processes.length,
      openProblems: problems.filter((one) => one.status === 'open').length,
      gates: gates.map(({ name }) => name),
      artifact: unwritten === null ? PAGE : null,
      unwritten,
    };
  }

  private async facts(projectId: string): Promise<StatusFacts> {
    const { pool, processes, now } = this.parts;
    const { reads, teams } = this.parts.stores();
    const project = await reads.get(projectId);
    const newest = (await reads.heads([projectId])).get(projectId)?.seq ?? 0;
    const page = { limit: 200 };
    const [doing, family, live, gates, events, members, problems, made, pending] = await Promise.all([
      runningEffects(pool, projectId),
      inWorldlyTerms(() => familyUnderWay(pool, projectId)),
      processes.list(),
      reads.gates(projectId),
      reads.eventsAfter(projectId, Math.max(0, newest - LAST_EVENTS), LAST_EVENTS),
      orNothing(async () => (await teams.team(projectId)).members),
      orNothing(async () => (await teams.problems(projectId, page)).data),
      this.made(project),
      pendingNow(this.parts.worktrees, project, null),
    ]);
    const own = live.filter((one) => one.projectId === projectId || family.includes(one.projectId));
    return { at: now(), project, doing, members, processes: own, problems, gates, events, made, pending };
  }

  private async made({ id: projectId, repo, workspace }: Project): Promise<StatusFacts['made']> {
    if (!repo || !workspace) return null;
    const { baseCommit, headCommit } = workspace;
    return this.parts.worktrees.made({ projectId, repo: repo.path }, baseCommit, headCommit).catch(() => null);
  }

  /** Why it could not be written; null where it was. */
  private async write(facts: StatusFacts): Promise<string | null> {
    const { repo, name } = facts.project;
    if (!repo) return 'the project works on no repository';
    try {
      await this.parts.artefacts.write({ repo: repo.path, name }, PAGE, statusPage(facts));
      return null;
    } catch (error) {
      return errorMessage(error);
    }
  }
}

/** A project without a team has none of what a team has. */
async function orNothing<T>(ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
