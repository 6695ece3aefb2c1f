import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { type CodingParts, currentOf, resolvedBlock, unblocked } from './coding-context.js';
import { deferRest, deferTask } from './defer-task.js';
import { withoutWaived } from './waive.js';

/** Where a person decided `proceed` at a block: what is not done is put off, and the rest is accepted. Null otherwise. */
export async function leftOut(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<JsonObject | null> {
  const block = resolvedBlock(activity);
  if (block?.decision !== 'proceed') return null;
  const reason = 'left out: a person went on with the rest';
  // Whoever goes on without waiting for a proof has none, unless there was one before.
  const isProven = block.cause === 'uat' ? {} : { isProven: false, needsProof: false };
  const waived = withoutWaived(activity, { cause: block.cause, because: 'waived by a person' });
  const current = currentOf(activity);
  const patch = current
    ? await deferTask(parts, activity, { worktree, task: current, reason, cause: block.cause })
    : {};
  const rest = deferRest({ ...activity.context, ...patch }, reason, block.cause);
  return { ...unblocked, ...patch, ...rest, ...isProven, ...waived };
}
