import type { Gate, Project, ProjectSummary } from '#contracts';
import { errorMessage } from '#kernel';
import { LOGGED_EVENTS, type ModeRegistry, type ProjectHistory, sessionRows, unknownItems, type Unseen } from '#modes';
import type { GitWorktrees, Pending } from '#workspace';
import type { ProjectReads, SummaryReads, TeamReads } from '../../http/index.js';
import { composeSummary } from './compose-summary.js';
import { fitSummary } from './fit-summary.js';
import { redactedSeen } from './redacted-seen.js';
import type { Seen } from './seen.js';
import { summaryText } from './summary-text.js';

export interface SummaryParts {
  readonly reads: Pick<ProjectReads, 'get' | 'gates'>;
  readonly teams: Pick<TeamReads, 'tasks' | 'findings' | 'problems'>;
  readonly history: Pick<ProjectHistory, 'told' | 'unsettled'>;
  readonly worktrees: Pick<GitWorktrees, 'pending'>;
  readonly modes: Pick<ModeRegistry, 'resolve'>;
}

const ALL = { limit: 200 };
const MOST_ROWS = 200;
/** Longer nobody waits for git; what it has not said by then is unknown. */
const GIT_MS = 3_000;
const ENDED: readonly string[] = ['completed', 'aborted', 'failed'];

/** Where a project stands, from rows and from git: no worker is asked. */
export class ProjectSummaries implements SummaryReads {
  constructor(private readonly parts: SummaryParts) {}

  async of(idOrName: string): Promise<ProjectSummary> {
    const { reads, teams, history } = this.parts;
    const project = await reads.get(idOrName);
    const { id, status } = project;
    const [gates, tasks, findings, problems, told, steps, pending, unsettled] = await Promise.all([
      reads.gates(id),
      teams.tasks(id, ALL),
      teams.findings(id, ALL),
      teams.problems(id, ALL),
      history.told(id, LOGGED_EVENTS, MOST_ROWS),
      this.stepsOf(project),
      this.pendingIn(project),
      history.unsettled(id).catch(() => null),
    ]);
    const seen: Seen = {
      project,
      gate: openGate(project, gates),
      tasks: tasks.data,
      findings: findings.data,
      problems: problems.data,
      log: sessionRows(told),
      steps,
      pending,
      unknown: unknownItems({ status, unsettled, pending }),
    };
    return fitSummary(composeSummary(redactedSeen(seen)));
  }

  text = (summary: ProjectSummary): string => summaryText(summary);

  /** The states in which something is done. A machine that nobody here knows any more has none. */
  private async stepsOf({ machine, machineVersion }: Project): Promise<readonly string[]> {
    const resolved = await this.parts.modes.resolve(machine, machineVersion);
    if (resolved.kind !== 'runnable') return [];
    const { states } = resolved.runnable.machine;
    return Object.entries(states).flatMap(([name, state]) => (state.do !== undefined && !state.end ? [name] : []));
  }

  private async pendingIn({ id, repo, workspace, status }: Project): Promise<Pending | Unseen | null> {
    if (repo === null || workspace === null || ENDED.includes(status)) return null;
    const look = this.parts.worktrees.pending({ projectId: id, repo: repo.path }, workspace.headCommit).then(
      (found) => found ?? { reason: 'its worktree is not on this machine, or is yet to be made again' },
      (error: unknown) => ({ reason: `git could not say (${errorMessage(error).slice(0, 200)})` }),
    );
    return Promise.race([look, tooLate()]);
  }
}

const tooLate = (): Promise<Unseen> =>
  new Promise((resolve) => {
    setTimeout(() => resolve({ reason: 'git did not answer in time' }), GIT_MS).unref();
  });

/** What the project itself asks; a pause comes before it: until RESUME no answer moves it on. */
const openGate = ({ status }: Project, [gate]: readonly Gate[]): Gate | null =>
  gate === undefined || status === 'paused' ? null : gate;
