import { type ActivityContext, LeaseLost } from '#engine';
import { errorCode, errorMessage, type JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { enterWithin } from '../shared/enter.js';
import { repeatable } from '../shared/repeatable.js';
import { commitOf, shown } from '../shared/work-parts.js';
import type { CodingParts } from './coding-context.js';
import { contextOf } from './context.js';

/** The files as a person left them at a block: whoever mends something by hand does so in the worktree. */
export const leftByPerson = (
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<string> => repeatable(activity, 'as-left', () => worktrees.snapshot(worktree));

/** The commit of what a person changed at a block; null where nothing was. */
export async function commitOfPerson(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<string | null> {
  const left = await leftByPerson(parts, activity, worktree);
  if (isAsBefore(activity, worktree, left)) return null;
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

/** Where no task is at hand, what a person changed is part of the work, and not proven yet. */
export async function takenAlong(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<JsonObject> {
  const commit = await commitOfPerson(parts, activity, worktree);
  if (commit === null) return {};
  const good = { commit, checkpoint: activity.checkpoint.seq + 1 };
  return { ...shown(worktree, commit), good, isProven: false, needsProof: true, isChangedByPerson: true };
}

/** Where what a person left may be taken back, now or later: it stays in the repository, and SUMMARY.md says where. */
export function keptOfPerson(activity: ActivityContext, worktree: Worktree, left: string): JsonObject {
  const known = contextOf(activity).leftByPerson ?? [];
  return isAsBefore(activity, worktree, left) || known.includes(left) ? {} : { leftByPerson: [...known, left] };
}

/** What somebody has worked on in the worktree while the project waited outlives it, if it can still be read at all. */
export async function keptAtRest(parts: CodingParts, activity: ActivityContext): Promise<JsonObject> {
  if (commitOf(activity) === null) return {};
  return repeatable<JsonObject>(activity, 'as-left', async (run) => {
    try {
      const worktree = await enterWithin(parts, activity, run);
      return keptOfPerson(activity, worktree, await parts.worktrees.snapshot(worktree));
    } catch (error) {
      if (error instanceof LeaseLost || run.signal.aborted) throw error;
      run.tell('workspace.not-kept', { code: errorCode(error), message: errorMessage(error) });
      return {};
    }
  });
}

const isAsBefore = (activity: ActivityContext, { baseCommit }: Worktree, left: string): boolean =>
  left === (commitOf(activity) ?? baseCommit);
