import { type Activity, type ActivityContext, type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import { nextTask, withTask } from '#team';
import { enter } from '../shared/enter.js';
import {
  type CodingParts,
  currentOf,
  listed,
  resolvedBlock,
  scenariosOf,
  tasksOf,
  unblocked,
} from './coding-context.js';
import { deferTask } from './defer-task.js';
import { writeDeferred } from './readable/write-pages.js';

/** Causes that stand in the way of everything that is still to do, not of one task alone. */
const STOPS_ALL = ['setup', 'budget', 'unproven'];

/** FUTURE_REQ: a person puts the item off that the project is blocked by; DEFERRED.md says what is left for later. */
export const deferItem =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const block = activity.context['block'] as { cause?: string; message?: string } | null | undefined;
    const cause = block?.cause ?? 'unknown';
    const reason = block?.message?.slice(0, 1_000) ?? 'a person put it off';
    const patch = await patchFor(parts, activity, cause, reason);
    await writeDeferred(parts, activity, patch);
    return deferredReport(activity, cause, patch);
  };

async function patchFor(
  parts: CodingParts,
  activity: ActivityContext,
  cause: string,
  reason: string,
): Promise<JsonObject> {
  const { context } = activity;
  // Reviewers and scenarios are put off by the state that they belong to: it reads the decision.
  if (cause === 'reviewer' || context['findings'] === undefined) return {};
  if (cause === 'uat') {
    const scenarios = scenariosOf(activity).map((one) =>
      one.verdict === 'failed' ? { ...one, verdict: 'waived' as const, because: `put off: ${one.because}` } : one,
    );
    const { deferred } = await deferTask(parts, activity, {
      ...(await place(parts, activity)),
      task: null,
      reason,
      cause,
    });
    return { ...unblocked, scenarios: listed(scenarios), deferred: deferred ?? [] };
  }
  const task = currentOf(activity) ?? nextTask(tasksOf(activity));
  const patch = await deferTask(parts, activity, { ...(await place(parts, activity)), task, reason, cause });
  if (!STOPS_ALL.includes(cause)) return { ...unblocked, ...patch };
  const open = (patch['tasks'] as unknown as ReturnType<typeof tasksOf>).filter(({ status }) => status === 'pending');
  const tasks = open.reduce(
    (all, { id }) => withTask(all, id, { status: 'deferred', note: reason }),
    patch['tasks'] as unknown as ReturnType<typeof tasksOf>,
  );
  return { ...unblocked, ...patch, tasks: listed(tasks) };
}

const place = async (parts: CodingParts, activity: ActivityContext) => ({ worktree: await enter(parts, activity) });

const deferredReport = (activity: ActivityContext, cause: string, patch: JsonObject): Report =>
  report('item:deferred', patch, { cause, decision: resolvedBlock(activity)?.decision ?? 'defer' });
