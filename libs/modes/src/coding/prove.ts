import type { ActivityContext, Report } from '#engine';
import type { VerifyReport, Worktree } from '#workspace';
import { withPatchedContext } from '../shared/patched-context.js';
import type { CodingParts } from './coding-context.js';
import { contextOf, patchOf } from './context.js';
import { type ProofOptions, proveResult } from './proof/prove-result.js';
import { makeFallbackPlan } from './scoping/fallback-plan.js';

/** Judges the whole result by the plan of the project. If it has none, the request is one part. */
export async function prove(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  baseline: VerifyReport,
  options: ProofOptions = {},
): Promise<Report> {
  const { requestPlan } = contextOf(activity);
  if (requestPlan) return proveResult(parts, activity, worktree, { plan: requestPlan, baseline, ...options });
  const plan = makeFallbackPlan(activity);
  const known = patchOf({ requestPlan: plan });
  const scene = withPatchedContext(activity, known);
  const report = await proveResult(parts, scene, worktree, { plan, baseline, ...options });
  return report.kind === 'event' ? { ...report, patch: { ...known, ...report.patch } } : report;
}
