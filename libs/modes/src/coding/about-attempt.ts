import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { repeatable } from '../shared/repeatable.js';
import { type CodingParts, goodOf } from './coding-context.js';
import { neverIn } from './never-between.js';
import { takesBack } from './takes-back.js';

const LONGEST_DIFF = 20_000;

export interface AboutAttempt {
  readonly diff: string;
  /** Why nobody but a person may make this change. */
  readonly never: string | null;
  readonly costUsd: string | null;
  readonly model: string | null;
  /** Nothing is left of the task's change. */
  readonly isUndone: boolean;
  readonly isRevert: boolean;
}

/** What an attempt changed, and what it cost. */
export async function aboutAttempt(
  { worktrees, history }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  from: string,
  to: string,
): Promise<AboutAttempt> {
  return repeatable(activity, 'about', async () => {
    const { patch, isCut } = await worktrees.diff(worktree, from, to);
    const spent = await history.spentIn(activity.project.id, activity);
    const never = neverIn(patch, isCut);
    const good = goodOf(activity)?.commit ?? worktree.baseCommit;
    const isUndone = await undoes(worktrees, worktree, { good, from, to });
    const isRevert = takesBack(await changedBefore(worktrees, worktree, { good, from }), patch);
    return { diff: patch.slice(0, LONGEST_DIFF), never, isUndone, isRevert, ...spent };
  });
}

/** Whether the task had changed something before the attempt, and nothing of it is left. */
async function undoes(
  worktrees: CodingParts['worktrees'],
  worktree: Worktree,
  { good, from, to }: { readonly good: string; readonly from: string; readonly to: string },
): Promise<boolean> {
  if (from === good || from === to) return false;
  const { files } = await worktrees.diff(worktree, good, to);
  return files.length === 0;
}

/** What the task and the tasks before it have changed: to take any of that back is no fix of an error. */
async function changedBefore(
  worktrees: CodingParts['worktrees'],
  worktree: Worktree,
  { good, from }: { readonly good: string; readonly from: string },
): Promise<string> {
  const { baseCommit } = worktree;
  const own = await worktrees.diff(worktree, good, from);
  const branch = good === baseCommit ? null : await worktrees.diff(worktree, baseCommit, from);
  return [own.patch, branch?.patch ?? ''].join('\n');
}
