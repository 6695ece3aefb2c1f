import type { ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { type CodingParts, goodOf } from '../coding-context.js';
import { contextOf } from '../context.js';
import { failuresSettledBy, partsCompletedBy } from '../scoping/request-plan.js';
import { type CheckOutcome, HELD } from './check-outcome.js';
import { inspect } from './inspect.js';

interface Wish {
  readonly task: ProjectTask;
  readonly commit: string;
}

/** After a heal: an agent says whether the step is still done, if no check and no test of the baseline can tell. */
export async function lookAtStep(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { task, commit }: Wish,
): Promise<CheckOutcome> {
  const { requestPlan: plan, checks = [] } = contextOf(activity);
  if (task.kind !== 'request' || !plan) return HELD;
  const due = partsCompletedBy(plan, task.id).filter(
    (part) => !checks.some((check) => check.part === part && check.dropped === null),
  );
  if (due.length === 0 || failuresSettledBy(plan, task.id).length > 0) return HELD;
  const inspected = await inspect(parts, activity, worktree, {
    from: goodOf(activity)?.commit ?? worktree.baseCommit,
    commit,
    parts: due,
    findings: [],
    tests: [],
    step: 'look-at-step',
  });
  if (inspected.kind === 'stopped') return inspected;
  const undone = inspected.inspection?.parts.filter(({ part, isDone }) => due.includes(part) && !isDone) ?? [];
  const [first] = undone;
  if (!first) return { kind: 'held', patch: inspected.patch };
  const comparison = {
    isNoWorse: false,
    newFailures: [`The step is no longer done: ${first.why.slice(0, 300)}`],
    oldFailures: [],
    worst: { command: 'the step is done', output: undone.map(({ why }) => why).join('\n') },
    isCheck: true,
  } as const;
  return { kind: 'failed', comparison, patch: inspected.patch };
}
