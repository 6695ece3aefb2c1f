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
  return stoppedBy(activity, outcome, { ...shown(worktree, startCommit), ...patch }, null);
}

/** What a helper wrote is no part of the work. If it cannot go on, the files are those of the commit again. */
export async function withoutTrace(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  outcome: Unfinished,
  { to, step }: { readonly to: string; readonly step: string },
): Promise<Unfinished> {
  // The conversation goes on later, with the files as they are.
  if (outcome.kind === 'waits') return outcome;
  await putBack(parts, activity, worktree, { to, step });
  return { ...outcome, commit: to };
}
