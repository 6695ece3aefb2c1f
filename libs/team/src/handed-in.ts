import type { ProjectTask, Team, TeamMember, TeamMessage } from '#contracts';
import { LEAD, say } from './messages.js';
import { withTask } from './tasks.js';

/** What people see of a team. */
export interface TeamFace {
  readonly team: Team | null;
  readonly tasks: readonly ProjectTask[];
  readonly messages: readonly TeamMessage[];
}

/** What became of a reviewer's work, as far as its team says it. */
export interface HandedIn {
  readonly agent: string;
  /** partial: it was lost, and what it had said until then is used. */
  readonly status: 'done' | 'partial' | 'lost' | 'skipped' | 'over-budget';
  readonly summary: string;
  /** How many. */
  readonly findings: number;
  /** Why it was lost or skipped, or why its output is partial. */
  readonly why: string | null;
}

/**
 * The team once these have ended: their status, their tasks, and a word of each to the lead. The words stand in the
 * order of the seats, and one who still runs keeps its number: whoever reads on the way and at the end reads the same.
 */
export function withHandedIn<Face extends TeamFace>(face: Face, reviews: readonly HandedIn[]): Face {
  const { team, tasks, messages } = face;
  if (!team || reviews.length === 0) return face;
  const by = new Map(reviews.map((review) => [review.agent, review]));
  const awaited = team.members.filter(({ agent, status }) => status === 'running' || by.has(agent));
  const silent = new Set(awaited.filter(({ agent }) => !by.has(agent)).map(({ teammate }) => teammate));
  const last = messages.at(-1)?.seq ?? 0;
  return {
    ...face,
    team: { ...team, members: team.members.map((member) => ({ ...member, status: statusOf(member, by) })) },
    tasks: awaited.reduce((all, member) => reviewTaskDone(all, member, by.get(member.agent)), tasks),
    messages: awaited
      .reduce((all, { agent, teammate }) => say(all, wordOf(teammate, by.get(agent))), messages)
      .filter(({ seq, from }) => seq <= last || !silent.has(from)),
  };
}

function statusOf({ agent, status }: TeamMember, by: ReadonlyMap<string, HandedIn>): TeamMember['status'] {
  const ended = by.get(agent)?.status;
  return ended === 'over-budget' ? 'lost' : (ended ?? status);
}

function reviewTaskDone(
  tasks: readonly ProjectTask[],
  { teammate }: TeamMember,
  review: HandedIn | undefined,
): readonly ProjectTask[] {
  const task = tasks.find(({ kind, owner }) => kind === 'review' && owner === teammate);
  if (!task || !review) return tasks;
  const { status, why } = review;
  return withTask(tasks, task.id, { status: isUsed(status) ? 'completed' : 'skipped', note: why });
}

const isUsed = (status: HandedIn['status']): boolean => status === 'done' || status === 'partial';

function wordOf(from: string, review: HandedIn | undefined): Omit<TeamMessage, 'seq'> {
  const { status, findings, summary, why } = review ?? { status: 'lost', findings: 0, summary: '', why: null };
  return isUsed(status)
    ? {
        from,
        to: LEAD,
        kind: 'summary',
        text: `${status === 'partial' ? 'Partial output. ' : ''}${String(findings)} ${findings === 1 ? 'finding' : 'findings'}. ${summary}`,
      }
    : { from, to: LEAD, kind: 'health', text: why ?? status };
}
