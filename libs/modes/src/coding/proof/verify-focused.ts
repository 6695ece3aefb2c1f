import type { ActivityContext } from '#engine';
import type { VerifyReport, Worktree } from '#workspace';
import { countsTests, failingTests } from '../../shared/failing-tests.js';
import { withPatchedContext } from '../../shared/patched-context.js';
import { baselineOf } from '../../shared/work-parts.js';
import type { CodingParts } from '../coding-context.js';
import { contextOf } from '../context.js';
import { focusOnStep, readScripts } from './focus.js';
import { isSlow, planFocus } from './plan-focus.js';
import { type SteadyVerification, verifySteadily } from './verify-step.js';

export interface StepVerification extends SteadyVerification {
  /** Whether all verify commands ran. Only such a run can be a part of the proof. */
  readonly isWhole: boolean;
}

interface StepWish {
  readonly from: string;
  readonly commit: string;
  readonly baseline: VerifyReport;
  /** Failures that the step has to settle. */
  readonly names: readonly string[];
  /** Whether the tests of the step are enough: the whole suite runs after a later step. */
  readonly isEnough: boolean;
}

/** Verifies a step: first the tests that concern it. If they fail, no other test has to run. */
export async function verifyStep(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { from, commit, baseline, names, isEnough }: StepWish,
): Promise<StepVerification> {
  const focus = await focusOnStep(parts, activity, worktree, { from, commit, names, baseline });
  if (focus === null)
    return { ...(await verifySteadily(parts, activity, worktree, { commit, baseline })), isWhole: true };
  const seen = await verifySteadily(parts, activity, worktree, { commit, baseline, focus, step: 'verify/focus' });
  if (isFailing(seen) || (isEnough && isPassing(seen))) return { ...seen, isWhole: false };
  const scene = withPatchedContext(activity, { flakyTests: [...seen.flaky] });
  return { ...(await verifySteadily(parts, scene, worktree, { commit, baseline })), isWhole: true };
}

/** A run without names of failing tests may only say that the selection does not fit the runner. */
const isFailing = ({ result, comparison }: SteadyVerification): boolean =>
  failingTests(result).some(({ name, command }) => name !== command && comparison.newFailures.includes(name));

const isPassing = ({ result, comparison }: SteadyVerification): boolean => comparison.isNoWorse && countsTests(result);

/** Verifies a heal attempt: first the failing tests of its problem. If they still fail, no other test has to run. */
export async function verifyAttempt(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  commit: string,
): Promise<StepVerification> {
  const failed = await failProblem(parts, activity, worktree, commit);
  return failed ?? { ...(await verifySteadily(parts, activity, worktree, { commit })), isWhole: true };
}

/** The run in which tests of the problem still fail; null if they pass, or if they cannot be selected. */
async function failProblem(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  commit: string,
): Promise<StepVerification | null> {
  const { trouble, verification: seen, flakyTests = [] } = contextOf(activity);
  const baseline = baselineOf(activity);
  if (!seen || !baseline || !isSlow(baseline) || !trouble || trouble.isCheck === true) return null;
  const names = trouble.newFailures.filter((name) => !flakyTests.includes(name));
  const scripts = await readScripts(parts, activity, worktree, commit);
  const focus = planFocus({ baseline, seen, names, files: [], scripts });
  if (focus === null) return null;
  // Failures of the baseline are in scope here, so nothing excuses them.
  const run = await verifySteadily(parts, activity, worktree, { commit, baseline: null, focus, step: 'verify/focus' });
  const left = failingTests(run.result).filter(({ name }) => names.includes(name) && !run.flaky.includes(name));
  const [worst] = left;
  if (!worst) return null;
  const newFailures = [...new Set(left.map(({ name }) => name))];
  const { command, output } = worst;
  const comparison = { isNoWorse: false, newFailures, oldFailures: [], worst: { command, output } };
  return { ...run, comparison, isWhole: false };
}
