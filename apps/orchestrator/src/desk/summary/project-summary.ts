import type { Gate, Project, ProjectSummary } from '#contracts';
import { LOGGED_EVENTS, type ModeRegistry, type ProjectHistory, sessionRows, unknownItems } from '#modes';
import type { GitWorktrees } from '#workspace';
import { pendingNow } from '../../../../worker/src/control/pending-now.js';
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
  readonly modes: Pick<ModeRegistry, 'stepsOf'>;
}

const ALL = { limit: 200 };
const MOST_ROWS = 200;

/** Where a project stands, from rows and from git: no worker is asked. */
export class ProjectSummaries implements SummaryReads {
  constructor(private readonly parts: SummaryParts) {}

  async of(idOrName: string): Promise<ProjectSummary> {
    const { reads, teams, history, worktrees } = this.parts;
    const project = await reads.get(idOrName);
    const { id, status } = project;
    const [gates, tasks, findings, problems, told, steps, pending, unsettled] = await Promise.all([
      reads.gates(id),
      teams.tasks(id, ALL),
      teams.findings(id, ALL),
      teams.problems(id, ALL),
      history.told(id, LOGGED_EVENTS, MOST_ROWS),
      this.parts.modes.stepsOf(project.machine, project.machineVersion),
      pendingNow(worktrees, project, project.workspace?.headCommit ?? null),
      history.unsettled(id).catch(() => null),
    ]);
    const seen: Seen = {
      project,
      gate: openGate(project, gates),
      decided: gates[0]?.decided ?? null,
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
}

/** What the project itself asks, unless that was decided; a pause comes before it: until RESUME no answer moves it on. */
const openGate = ({ status }: Project, [gate]: readonly Gate[]): Gate | null =>
  gate === undefined || gate.decided !== null || status === 'paused' ? null : gate;
