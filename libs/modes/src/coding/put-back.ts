import type { ActivityContext, Report } from '#engine';
import type { Worktree } from '#workspace';
import { commitOf } from '../shared/work-parts.js';
import type { CodingParts } from './coding-context.js';
import { stoppedBy, type Unfinished } from './run-agent.js';

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

/** An agent that cannot go on leaves nothing: what is found there after a block is what a person changed. */
export async function stoppedWithoutTrace(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  outcome: Unfinished,
): Promise<Report> {
  if (outcome.kind !== 'waits') await putBack(parts, activity, worktree, 'put-back/stopped');
  return stoppedBy(outcome, {}, null);
}
