import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { enter } from '../shared/enter.js';
import { type CodingParts, currentOf, resolvedBlock, unblocked } from './coding-context.js';
import { deferRest, deferTask } from './defer-task.js';
import { takenAlong } from './left-by-person.js';
import { hasWork, withoutWaived } from './waive.js';

/** Where a person decided `proceed` at a block: what is not done is put off, and the rest is accepted. Null otherwise. */
export async function leftOut(parts: CodingParts, activity: ActivityContext): Promise<JsonObject | null> {
  const block = resolvedBlock(activity);
  if (block?.decision !== 'proceed') return null;
  const worktree = await enter(parts, activity);
  const reason = 'left out: a person went on with the rest';
  const waived = withoutWaived(activity, { cause: block.cause, because: 'waived by a person' });
  const current = currentOf(activity);
  const patch = current
    ? await deferTask(parts, activity, { worktree, task: current, reason, cause: block.cause })
    : await takenAlong(parts, activity, worktree);
  const rest = deferRest({ ...activity.context, ...patch }, reason, block.cause);
  return { ...unblocked, ...patch, ...rest, ...proofAfter(activity, block.cause, patch), ...waived };
}

/** What is left without the work that was left out, or with a person's, is verified by UAT, whatever comes of it. */
function proofAfter(activity: ActivityContext, cause: string, { commit }: JsonObject): JsonObject {
  const isOther = commit !== undefined || (cause !== 'uat' && hasWork(activity));
  if (isOther) return { isProven: false, needsProof: true };
  return { needsProof: false, ...(cause === 'unproven' && { isProven: false }) };
}
