import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { repeatable } from '../shared/repeatable.js';
import { commitOf } from '../shared/work-parts.js';
import type { CodingParts } from './coding-context.js';

/** The files as a person left them at a block: whoever mends something by hand does so in the worktree. */
export async function leftByPerson(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<string> {
  return repeatable(activity, 'as-left', () => worktrees.snapshot(worktree));
}

/** The commit of what a person changed at a block; null where nothing was. */
export async function commitOfPerson(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<string | null> {
  const left = await leftByPerson(parts, activity, worktree);
  if (left === (commitOf(activity) ?? worktree.baseCommit)) return null;
  const { worktrees } = parts;
  return activity.effect({
    step: 'commit-of-person',
    settle: { kind: 'query', find: (run) => worktrees.findCommit(worktree, run) },
    run: async (run) => {
      await worktrees.reset(worktree, left);
      return worktrees.commit(worktree, 'Changed by a person while the project waited', activity.checkpoint, run);
    },
  });
}
