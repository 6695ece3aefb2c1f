import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { type CodingParts, currentOf, resolvedBlock, unblocked } from './coding-context.js';
import { deferRest, deferTask } from './defer-task.js';
import { hasWork, withoutWaived } from './waive.js';

/** Where a person decided `proceed` at a block: what is not done is put off, and the rest is accepted. Null otherwise. */
export async function leftOut(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<JsonObject | null> {
  const block = resolvedBlock(activity);
  if (block?.decision !== 'proceed') return null;
  const reason = 'left out: a person went on with the rest';
  const waived = withoutWaived(activity, { cause: block.cause, because: 'waived by a person' });
  const current = currentOf(activity);
  const patch = current
    ? await deferTask(parts, activity, { worktree, task: current, reason, cause: block.cause })
    : {};
  const rest = deferRest({ ...activity.context, ...patch }, reason, block.cause);
  return { ...unblocked, ...patch, ...rest, ...proofAfter(activity, block.cause), ...waived };
}

/** What is left without the work that was left out is verified by UAT; whoever waits for no proof has none. */
function proofAfter(activity: ActivityContext, cause: string): JsonObject {
  if (cause === 'unproven') return { isProven: false, needsProof: false };
  const isUnproven = cause !== 'uat' && hasWork(activity);
  return isUnproven ? { isProven: false, needsProof: true } : { needsProof: false };
}
