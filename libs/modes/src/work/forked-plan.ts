import type { JsonObject } from '#kernel';
import { asJson } from '../shared/work-parts.js';
import { capFor, totalOf } from './estimate.js';
import { capWords } from './plan-page.js';
import { isDraft, workPlanOf } from './work-context.js';

/** A fork has used nothing yet: a plan that waits for approval there asks for its steps alone, and says so. */
export function forkedPlan(context: JsonObject): JsonObject {
  const scene = { context };
  const plan = workPlanOf(scene);
  // Plans of other modes have no cap.
  if (!isDraft(scene) || typeof plan?.capUsd !== 'string') return {};
  const { high: highCents } = totalOf(plan.steps.map(({ cents }) => cents));
  const forked = { ...plan, usedUsd: '0.00', capUsd: capFor({ highCents, proofCents: plan.proofCents }, '0') };
  const { why } = context;
  return {
    plan: asJson(forked),
    ...(typeof why === 'string' && { why: why.replace(capWords(plan), capWords(forked)) }),
  };
}
