import type { ActivityContext, Report } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { repeatable } from '../shared/repeatable.js';
import { commitOf, shown } from '../shared/work-parts.js';
import type { CodingParts } from './coding-context.js';
import { stoppedBy, type Unfinished } from './run-agent.js';

/** The files as a commit has them; otherwise as the newest checkpoint does: whoever was interrupted may have left anything. */
export async function putBack(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { to = commitOf(activity) ?? worktree.baseCommit, step = 'put-back' }: { to?: string; step?: string } = {},
): Promise<void> {
  await repeatable(activity, step, () => worktrees.reset(worktree, to));
}

/** An agent that cannot go on leaves nothing: what is found there after a block is what a person changed. */
export async function stoppedWithoutTrace(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  outcome: Unfinished,
  /** Where it began, and what is to be known of that. */
  { startCommit, patch = {} }: { readonly startCommit: string; readonly patch?: JsonObject },
): Promise<Report> {
  if (outcome.kind !== 'waits') await putBack(parts, activity, worktree, { to: startCommit, step: 'put-back/stopped' });
  return stoppedBy(outcome, { ...shown(worktree, startCommit), ...patch }, null);
}
