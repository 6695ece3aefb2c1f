import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { commitOf } from '../shared/work-parts.js';
import { type CodingParts, cutShortBy } from './coding-context.js';

/** Whether whoever worked here last was interrupted, by a command or because it could not go on. */
export const isLeftOpen = (activity: ActivityContext): boolean =>
  cutShortBy(activity) !== null || activity.context['isCutShort'] === true;

/** The files as the newest checkpoint has them: whoever was interrupted may have left anything. */
export async function putBack(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  step = 'put-back',
): Promise<void> {
  await activity.effect({
    step,
    settle: { kind: 'repeat' },
    run: async () => {
      await worktrees.reset(worktree, commitOf(activity) ?? worktree.baseCommit);
      return null;
    },
  });
}
