import type { ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { type CodingParts, goodOf } from '../coding-context.js';
import { contextOf } from '../context.js';
import { failuresSettledBy, partsCompletedBy } from '../scoping/request-plan.js';
import { isLastAttempt } from '../heal-problem.js';
import { type CheckOutcome, HELD } from './check-outcome.js';
import { inspect } from './inspect.js';
import { ruleOnInspection } from './rule-on-inspection.js';

interface Wish {
  readonly task: ProjectTask;
  readonly commit: string;
  /** Why the agent says that the inspector is wrong; null if it does not. */
  readonly claim?: string | null;
}

/** After a heal: an agent says whether the step is still done, if no check and no test of the baseline can tell. */
export async function lookAtStep(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { task, commit, claim = null }: Wish,
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
  const ruled = await ruleOnInspection(parts, activity, worktree, {
    commit,
    inspection: inspected.inspection,
    redParts: [],
    checks: [],
    claim,
    isLastChance: isLastAttempt(activity),
  });
  if (ruled.kind === 'stopped') return { ...ruled, patch: inspected.patch };
  const patch = { ...inspected.patch, ...ruled.patch };
  const undone = ruled.inspection?.parts.filter(({ part, isDone }) => due.includes(part) && !isDone) ?? [];
  const [first] = undone;
  if (!first) return { kind: 'held', patch };
  const comparison = {
    isNoWorse: false,
    newFailures: [`The step is no longer done: ${first.why.slice(0, 300)}`],
    oldFailures: [],
    worst: { command: 'the step is done', output: undone.map(({ why }) => why).join('\n') },
    isCheck: true,
  } as const;
  return { kind: 'failed', comparison, patch };
}
