import type { ProjectTask } from '#contracts';
import { type ActivityContext, type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import { withTask } from '#team';
import type { Worktree } from '#workspace';
import { repeatable } from '../../shared/repeatable.js';
import { shown } from '../../shared/work-parts.js';
import { type CodingParts, deferredOf, findingsOf, listed, tasksOf, unblocked } from '../coding-context.js';
import { contextOf, type DeferredItem } from '../context.js';
import { withOutcome } from '../work-task.js';

export interface CommittedAsides {
  readonly tasks: readonly ProjectTask[];
  /** The last commit before them. */
  readonly before: string;
}

/** Fixes beside the request that are the last commits of the branch; null if there are none, or others came later. */
export function findCommittedAsides(activity: ActivityContext, worktree: Worktree): CommittedAsides | null {
  const relations = new Map(findingsOf(activity).map(({ id, relation }) => [id, relation]));
  const isAside = ({ finding }: ProjectTask): boolean => finding !== null && relations.get(finding) === 'aside';
  const committed = tasksOf(activity).filter(({ kind, commit }) => kind !== 'review' && commit !== null);
  const first = committed.findIndex(isAside);
  const tasks = first < 0 ? [] : committed.slice(first);
  if (tasks.length === 0 || !tasks.every(isAside) || contextOf(activity).isChangedByPerson === true) return null;
  return { tasks, before: committed[first - 1]?.commit ?? worktree.baseCommit };
}

const REASON = 'The result was not proven with it, so its fix was taken back.';

/** The branch goes back to where it was before its asides. The request is judged again then: an aside never stands in its way. */
export async function takeAsidesBack(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { asides: { tasks: asides, before }, known }: { readonly asides: CommittedAsides; readonly known: JsonObject },
): Promise<Report> {
  await repeatable(activity, 'take-asides-back', () => worktrees.reset(worktree, before));
  const outcome = { kind: 'deferred', commit: null, reason: REASON } as const;
  const items = asides.map(({ id, title }): DeferredItem => {
    return { title, cause: 'aside', reason: REASON, problem: null, task: id };
  });
  const change = { status: 'deferred', commit: null, note: REASON } as const;
  const patch: JsonObject = {
    ...unblocked,
    ...known,
    ...shown(worktree, before),
    good: { commit: before, checkpoint: activity.checkpoint.seq + 1 },
    tasks: listed(asides.reduce((all, { id }) => withTask(all, id, change), tasksOf(activity))),
    findings: listed(asides.reduce((all, { finding }) => withOutcome(all, finding, outcome), findingsOf(activity))),
    deferred: listed([...deferredOf(activity), ...items]),
    verification: null,
    verifiedAt: null,
  };
  return report('task:finished', patch, { tasks: asides.map(({ id }) => id), outcome: 'deferred', reason: REASON });
}
