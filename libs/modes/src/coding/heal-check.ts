import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { currentOf } from './coding-context.js';
import type { Checked, Manners } from './manner.js';

/** Whether what the task is to come to is there now; null where nothing but the verify commands decides. */
export async function checkedAs(
  manners: Manners | null,
  activity: ActivityContext,
  worktree: Worktree,
  commit: string,
): Promise<Checked | null> {
  const task = currentOf(activity);
  return manners && task ? manners(activity, task).check(activity, worktree, { task, commit }) : null;
}
