import type { ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { type CodingParts, goodOf } from '../coding-context.js';
import { contextOf } from '../context.js';
import { failuresSettledBy, partsCompletedBy, type RequestPlan } from '../scoping/request-plan.js';
import { isLastAttempt } from '../heal-problem.js';
import { type CheckOutcome, HELD } from './check-outcome.js';
import { inspect } from './inspect.js';
import { ruleOnInspection } from './rule-on-inspection.js';

interface Wish {
  readonly task: ProjectTask;
  readonly commit: string;
  /** Why the agent says that the inspector is wrong; null if it does not. */
  readonly claim?: string | null;
  /** Where the change begins that is read; the last good commit if it is absent, and the base if nothing changed since. */
  readonly from?: string;
}

/** The title of a step that belongs to no part of the request. */
const OWN = 1;

/**
 * After a heal, and if a step changed nothing: an agent says whether the step is done, if no check and no test of the
 * baseline can tell. Some steps are read by their own words: nothing else ever asks for them.
 */
export async function lookAtStep(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { task, commit, claim = null, from = startOfStep(activity, worktree, commit) }: Wish,
): Promise<CheckOutcome> {
  const { requestPlan: plan, checks = [] } = contextOf(activity);
  if (task.kind !== 'request' || !plan) return HELD;
  const completed = partsCompletedBy(plan, task.id);
  const own = isReadByItself(plan, task.id) ? describeOwn(plan, task) : null;
  const due =
    own === null
      ? completed.filter((part) => !checks.some((check) => check.part === part && check.dropped === null))
      : [OWN];
  // A test of the baseline tells whether a part is done. It never tells of a step that completes no part.
  if (due.length === 0 || (own === null && failuresSettledBy(plan, task.id).length > 0)) return HELD;
  const inspected = await inspect(parts, activity, worktree, {
    from,
    commit,
    parts: due,
    ...(own !== null && { titles: { [OWN]: own } }),
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
    newFailures: [`The step is not done: ${first.why.slice(0, 300)}`],
    oldFailures: [],
    worst: { command: 'the step is done', output: undone.map(({ why }) => why).join('\n') },
    isCheck: true,
  } as const;
  return { kind: 'failed', comparison, patch };
}

function startOfStep(activity: ActivityContext, { baseCommit }: Worktree, commit: string): string {
  const good = goodOf(activity)?.commit ?? baseCommit;
  return good === commit ? baseCommit : good;
}

/**
 * Whether no check of a part tells that this very step is done: it completes no part, another step works on its parts
 * too, or the planner gave it the parts of all steps.
 */
export function isReadByItself(plan: RequestPlan, id: string): boolean {
  const completed = partsCompletedBy(plan, id);
  const others = plan.steps.filter(({ task }) => task !== id);
  const isShared = others.some(({ parts }) => parts.some((part) => completed.includes(part)));
  const hasAllParts = others.length > 0 && others.every(({ parts }) => parts.length === 0);
  return completed.length === 0 || isShared || hasAllParts;
}

/** The step in words; null if it is none of the plan. */
function describeOwn(plan: RequestPlan, { id, detail }: ProjectTask): string | null {
  const step = plan.steps.find(({ task }) => task === id);
  if (!step) return null;
  return [`This step of the plan is done: ${step.title}`, detail.slice(0, 2_000), step.check]
    .filter((text) => text !== '')
    .join('\n');
}
