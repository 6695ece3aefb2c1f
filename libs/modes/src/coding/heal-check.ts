import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { currentOf } from './coding-context.js';
import type { TaskStrategies } from './task-strategy.js';
import type { CheckOutcome, CheckRequest } from './proof/check-outcome.js';

/** Whether the current task reached its goal; null if there is none. */
export async function checkedAs(
  strategies: TaskStrategies,
  activity: ActivityContext,
  worktree: Worktree,
  wish: Omit<CheckRequest, 'task'>,
): Promise<CheckOutcome | null> {
  const task = currentOf(activity);
  return task ? strategies(activity, task).check(activity, worktree, { ...wish, task }) : null;
}
