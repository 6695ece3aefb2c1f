import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { commitOf } from '../shared/work-parts.js';
import type { CodingParts } from './coding-context.js';

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
