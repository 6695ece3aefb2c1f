import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import {
  type CodingParts, currentOf, listed, resolvedBlock, scenariosOf, unblocked,
} from './coding-context.js'; // prettier-ignore
import { deferRest, deferTask } from './defer-task.js';

/** Where a person decided `proceed` at a block: what is not done is put off, and the rest is accepted. Null otherwise. */
export async function leftOut(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<JsonObject | null> {
  const block = resolvedBlock(activity);
  if (block?.decision !== 'proceed') return null;
  const reason = 'left out: a person went on with the rest';
  const isProven = block.cause === 'unproven' ? { isProven: false } : {};
  const scenarios = scenariosOf(activity).map((one) =>
    one.verdict === 'failed'
      ? { ...one, verdict: 'waived' as const, because: `waived by a person: ${one.because}` }
      : one,
  );
  const current = currentOf(activity);
  const patch = current
    ? await deferTask(parts, activity, { worktree, task: current, reason, cause: block.cause })
    : {};
  const rest = deferRest({ ...activity.context, ...patch }, reason, block.cause);
  return { ...unblocked, ...patch, ...rest, ...isProven, scenarios: listed(scenarios) };
}
