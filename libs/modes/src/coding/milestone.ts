import type { ActivityContext } from '#engine';
import { enter } from '../shared/enter.js';
import type { CodingParts } from './coding-context.js';

/** A commit that marks how far the project is, also where nothing has changed. */
export async function markMilestone(parts: CodingParts, activity: ActivityContext, message: string): Promise<string> {
  const { worktrees } = parts;
  const worktree = await enter(parts, activity);
  return activity.effect({
    step: 'milestone',
    settle: { kind: 'query', find: (run) => worktrees.findCommit(worktree, run) },
    run: (run) => worktrees.commitFiles(worktree, [], message, activity.checkpoint, run),
  });
}
