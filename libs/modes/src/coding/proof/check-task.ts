import type { ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import { assertNever } from '#kernel';
import type { Comparison } from '#self-heal';
import type { VerifyReport, Worktree } from '#workspace';
import { type FailingTest, failingTests } from '../../shared/failing-tests.js';
import { withPatchedContext } from '../../shared/patched-context.js';
import { type CodingParts, scenariosOf, tasksOf } from '../coding-context.js';
import { contextOf } from '../context.js';
import { type Check, failuresSettledBy, partsCompletedBy, type RequestPlan } from '../scoping/request-plan.js';
import { type CheckOutcome, type CheckRequest, HELD } from './check-outcome.js';
import { checkProof } from './check-proof.js';
import { describeFiles } from './missing-proof.js';
import { lookAtFix } from './look-at-fix.js';
import { isReadByItself, lookAtStep } from './look-at-step.js';
import { findPutOff } from './put-off.js';
import { replaceWrongScenario } from './rule-on-check.js';
import { ruleOnScope } from './rule-on-scope.js';
import { runScenario } from './run-check.js';
import { runDueChecks } from './run-due-checks.js';

/** Whether a task reached its goal: the failures that it settles pass, its checks hold, or its fix is confirmed. */
export const checkTask =
  (parts: CodingParts) =>
  async (activity: ActivityContext, worktree: Worktree, wish: CheckRequest): Promise<CheckOutcome> => {
    const { kind } = wish.task;
    switch (kind) {
      case 'request':
        return checkStep(parts, activity, worktree, wish);
      case 'proof':
        return checkPartsAndProof(parts, activity, worktree, wish);
      case 'finding':
        return lookAtFix(parts, activity, worktree, wish);
      case 'scenario':
        return checkScenario(parts, activity, worktree, wish);
      case 'feedback':
      case 'step':
      case 'review':
        return HELD;
      default:
        return assertNever(kind);
    }
  };

/** The checks come first: a check that is wrong is replaced there, and the proof is judged with its successor. */
async function checkPartsAndProof(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  wish: CheckRequest,
): Promise<CheckOutcome> {
  const checked = await checkParts(parts, activity, worktree, wish);
  if (checked.kind !== 'held') return checked;
  const judged = await checkProof(parts, withPatchedContext(activity, checked.patch), worktree, wish);
  return { ...judged, patch: { ...checked.patch, ...judged.patch } };
}

/**
 * An agent looks at a step of which no check tells that it is done, whatever it changed. If a later step completes its
 * parts, a look is only needed if it changed nothing. After a heal another look follows anyway.
 */
async function checkStep(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  wish: CheckRequest,
): Promise<CheckOutcome> {
  const checked = await checkParts(parts, activity, worktree, wish);
  const { task, commit, wrongCheck = null, isDoneBefore } = wish;
  const plan = contextOf(activity).requestPlan;
  const isAfterHeal = isDoneBefore === undefined;
  if (checked.kind !== 'held' || isAfterHeal || !plan || !isReadByItself(plan, task.id)) return checked;
  const isCompletedLater = partsCompletedBy(plan, task.id).length === 0 && namesParts(plan, task.id);
  if (!isDoneBefore && isCompletedLater) return checked;
  const scene = withPatchedContext(activity, checked.patch);
  const look = { task, commit, claim: wrongCheck, ...(isDoneBefore && { from: worktree.baseCommit }) };
  const looked = await lookAtStep(parts, scene, worktree, look);
  return { ...looked, patch: { ...checked.patch, ...looked.patch } };
}

const namesParts = ({ steps }: RequestPlan, id: string): boolean =>
  steps.some(({ task, parts }) => task === id && parts.length > 0);

/** What the plan says is due once a task is done: the failures in scope that it settles, and the checks of its parts. */
export async function checkParts(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { task, commit, wrongCheck = null }: CheckRequest,
): Promise<CheckOutcome> {
  const { requestPlan: plan, verification } = contextOf(activity);
  if (!plan) return HELD;
  const failing = verification ? stillFailing(plan, task, verification, contextOf(activity).flakyTests ?? []) : [];
  const scoped = await ruleOnScope(parts, activity, worktree, { failing, commit });
  if (scoped.kind === 'stopped') return scoped;
  const left = describeFailing(scoped.left);
  if (left) return { kind: 'failed', comparison: left, patch: scoped.patch };
  const checks = checksDueAfter(activity, plan, task);
  const scene = withPatchedContext(activity, scoped.patch);
  const due = await runDueChecks(parts, scene, worktree, { checks, commit, claim: wrongCheck });
  const patch = { ...scoped.patch, ...due.patch };
  if (due.kind !== 'failed') return { ...due, patch };
  return { kind: 'failed', comparison: comparisonOf(due.check, due.output), patch };
}

/** Checks of the parts that are complete with this task; a proof needs all of them. */
function checksDueAfter(activity: ActivityContext, plan: RequestPlan, task: ProjectTask): readonly Check[] {
  const leftOut = new Set(findPutOff(plan, tasksOf(activity)).parts);
  const checks = (contextOf(activity).checks ?? []).filter(
    ({ part, dropped }) => dropped === null && !leftOut.has(part),
  );
  if (task.kind === 'proof') return checks;
  const due = new Set(partsCompletedBy(plan, task.id));
  return checks.filter(({ part }) => due.has(part));
}

/** Whether checks of its own decide if a step of the request is done. */
export function hasChecks(activity: ActivityContext, task: ProjectTask): boolean {
  const { requestPlan: plan } = contextOf(activity);
  return plan != null && checksDueAfter(activity, plan, task).length > 0;
}

/** The failures in scope that this task should have settled, and that are still there. */
function stillFailing(
  plan: RequestPlan,
  task: ProjectTask,
  result: VerifyReport,
  flaky: readonly string[],
): readonly FailingTest[] {
  const due = task.kind === 'proof' ? plan.scope.map(({ name }) => name) : failuresSettledBy(plan, task.id);
  return failingTests(result).filter(({ name }) => due.includes(name) && !flaky.includes(name));
}

/** Tests that have to pass and fail, as the healer sees them; null if there are none. */
export function describeFailing(left: readonly FailingTest[]): Comparison | null {
  const [worst] = left;
  if (!worst) return null;
  return {
    isNoWorse: false,
    newFailures: [...new Set(left.map(({ name }) => name))],
    oldFailures: [],
    worst: { command: worst.command, output: worst.output },
  };
}

const LONGEST_OUTPUT = 16_000;

/** A failed check as the healer sees it: what must be true, the command, its output and its files. */
const comparisonOf = (check: Check, output: string): Comparison => ({
  isNoWorse: false,
  newFailures: [check.title],
  oldFailures: [],
  worst: { command: check.command, output: output.slice(-LONGEST_OUTPUT) },
  isCheck: true,
  checkFiles: describeFiles(check),
});

/** The scenario that sent the work back is tried again. One without a command waits for UAT. */
async function checkScenario(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { task, commit, wrongCheck = null }: CheckRequest,
): Promise<CheckOutcome> {
  const scenario = scenariosOf(activity).find(({ id }) => task.title.startsWith(`${id} `));
  const command = scenario?.evidence?.command ?? scenario?.command ?? null;
  if (!scenario || command === null) return HELD;
  const step = `check/${scenario.id}`;
  const [run, again] = await runScenario(parts, activity, worktree, { command, commit, step });
  // A flaky command says nothing about the work, and UAT skips it.
  if (run.isGreen || again.isGreen) return HELD;
  const replaced = await replaceWrongScenario(parts, activity, worktree, { scenario, run, commit, claim: wrongCheck });
  if (replaced.kind !== 'failed') return replaced;
  const comparison: Comparison = {
    isNoWorse: false,
    newFailures: [scenario.title],
    oldFailures: [],
    worst: { command, output: run.output },
    isCheck: true,
  };
  return { kind: 'failed', comparison, patch: replaced.patch };
}
