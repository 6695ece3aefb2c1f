import { type Activity, type ActivityContext, report } from '#engine';
import type { JsonObject } from '#kernel';
import { enter } from '../shared/enter.js';
import { isBeforeTasks, missingReviews, STOPS_ALL, taskPutOff } from './block-ways.js';
import { type CodingParts, deferredOf, listed, resolvedBlock, unblocked } from './coding-context.js';
import { contextOf, type DeferredItem, patchOf } from './context.js';
import { deferRest, deferTask } from './defer-task.js';
import { takenAlong } from './left-by-person.js';
import { firstLine } from './screen-lines.js';
import { withoutWaived } from './waive.js';
import { writeDeferred } from './readable/write-pages.js';

/** FUTURE_REQ: a person puts the item off that the project is blocked by; DEFERRED.md says what is left for later. */
export const deferItem =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const { block } = contextOf(activity);
    const cause = block?.cause ?? 'unknown';
    const reason = firstLine(block?.message ?? 'a person put it off').slice(0, 1_000);
    const patch = withError(activity, await patchFor(parts, activity, cause, reason), block?.output);
    await writeDeferred(parts, activity, patch);
    return report('item:deferred', patch, { cause, decision: resolvedBlock(activity)?.decision ?? 'defer' });
  };

const LONGEST_ERROR = 4_000;

/** What was printed says most about the first item; a problem has what its attempts printed. */
function withError(activity: ActivityContext, patch: JsonObject, output = ''): JsonObject {
  const known = deferredOf(activity).length;
  const items = deferredOf({ context: { ...activity.context, ...patch } });
  const isMeant = ({ problem }: DeferredItem, nth: number): boolean => nth === known && problem === null;
  if (output === '' || !items.some(isMeant)) return patch;
  const error = output.slice(-LONGEST_ERROR);
  return { ...patch, deferred: listed(items.map((item, nth) => (isMeant(item, nth) ? { ...item, error } : item))) };
}

async function patchFor(
  parts: CodingParts,
  activity: ActivityContext,
  cause: string,
  reason: string,
): Promise<JsonObject> {
  const { context } = activity;
  // Before the reviews have become findings there is no task that could be put off. Who is missing there is left out by
  // REVIEWING, which reads the decision; before it, it is the request that is.
  if (isBeforeTasks(activity)) {
    const missing = missingReviews(activity);
    const title = missing.length > 0 ? `Reviews that are missing: ${missing.join(', ')}` : activity.project.request;
    const item = { title: title.slice(0, 1_000), cause, reason, problem: null, task: null };
    return { deferred: listed([...deferredOf(activity), item]) };
  }
  const waived = withoutWaived(activity, { cause, because: 'put off' });
  const worktree = await enter(parts, activity);
  const task = taskPutOff(activity, cause);
  const patch = task
    ? await deferTask(parts, activity, { worktree, task, reason, cause })
    : await takenAlong(parts, activity, worktree);
  const item = task || cause === 'uat' ? {} : { deferred: listed([...deferredOf(activity), inWords(cause, reason)]) };
  const all = { ...unblocked, ...proofAfter(activity, task !== null, patch), ...patch, ...item, ...waived };
  // What failed in acceptance waits as tasks already: without them it goes on with the rest.
  return cause === 'uat' || STOPS_ALL.includes(cause)
    ? { ...all, ...deferRest({ ...context, ...patch, ...item }, reason, cause), ...withoutSetup(activity, cause) }
    : all;
}

/** If only the proof was left, the proof is what was put off. What a person changed meanwhile has to be proven. */
function proofAfter(activity: ActivityContext, hasTask: boolean, { commit }: JsonObject): JsonObject {
  const isOfProof = !hasTask && commit === undefined && contextOf(activity).needsProof === true;
  return isOfProof ? patchOf({ needsProof: false, isProven: false }) : {};
}

/** A set-up that was put off stays in the way: the project ends. The guards of FUTURE_REQ read the block. */
function withoutSetup(activity: ActivityContext, cause: string): JsonObject {
  const { block = null, why = null } = contextOf(activity);
  return cause === 'setup' ? patchOf({ block, why }) : {};
}

const inWords = (cause: string, reason: string): DeferredItem => ({
  title: reason,
  cause,
  reason,
  problem: null,
  task: null,
});
