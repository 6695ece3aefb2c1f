import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { withTask } from '#team';
import type { Worktree } from '#workspace';
import {
  type CodingParts, currentOf, listed, resolvedBlock, scenariosOf, tasksOf, unblocked,
} from './coding-context.js'; // prettier-ignore
import { deferTask } from './defer-task.js';

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
  const open = tasksOf(activity).filter(({ kind, status }) => kind !== 'review' && status === 'pending');
  const current = currentOf(activity);
  const first = current ?? open[0] ?? null;
  const patch = first ? await deferTask(parts, activity, { worktree, task: first, reason, cause: block.cause }) : {};
  const tasks = open.reduce(
    (all, { id }) => withTask(all, id, { status: 'deferred', note: reason }),
    (patch['tasks'] as unknown as ReturnType<typeof tasksOf> | undefined) ?? tasksOf(activity),
  );
  return { ...unblocked, ...patch, ...isProven, tasks: listed(tasks), scenarios: listed(scenarios) };
}
