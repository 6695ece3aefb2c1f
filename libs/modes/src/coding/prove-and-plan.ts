import type { ActivityContext, Report } from '#engine';
import type { VerifyReport, Worktree } from '#workspace';
import { sideBySide } from '../shared/side-by-side.js';
import { isAfterBlock } from '../shared/verification.js';
import { type CodingParts, scenariosOf } from './coding-context.js';
import { contextOf } from './context.js';
import { planScenarios } from './plan-scenarios.js';
import { partsWithoutCheck } from './scoping/author-checks.js';

type Prove = (
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  baseline: VerifyReport,
) => Promise<Report>;

/** Plans the acceptance scenarios while the result is proven: both only read its commit. */
export async function proveAndPlan(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { baseline, prove }: { readonly baseline: VerifyReport; readonly prove: Prove },
): Promise<Report> {
  if (!canPlanBeside(activity)) return prove(parts, activity, worktree, baseline);
  const [proved, planned] = await sideBySide(
    prove(parts, activity, worktree, baseline),
    planScenarios(parts, activity, worktree),
  );
  // A result that is not proven changes yet. A planner that could not go on is asked again in UAT.
  if (proved.kind !== 'event' || proved.type !== 'work:verified' || planned.kind === 'stopped') return proved;
  // An author of late checks had the base in the worktree: the planner may have read it.
  const hasLateChecks = 'checks' in (proved.patch ?? {});
  return hasLateChecks ? proved : { ...proved, patch: { ...proved.patch, ...planned.patch } };
}

/** Whether the proof changes no file of the worktree, as far as is known before it. */
function canPlanBeside(activity: ActivityContext): boolean {
  const { requestPlan: plan, checks = [], flakyTests = [] } = contextOf(activity);
  if (!plan || plan.class !== 'behaviour' || scenariosOf(activity).length > 0 || isAfterBlock(activity)) return false;
  return partsWithoutCheck(plan, checks, flakyTests).length === 0;
}
