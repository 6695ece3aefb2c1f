import type { Activity } from '#engine';
import { prepareReview } from '../coding/prepare-review.js';
import { scope } from '../coding/scoping/scope.activity.js';
import { withPatchedContext } from '../shared/patched-context.js';
import type { WorkModeParts } from './work-context.js';

/**
 * SCOPING of work mode: fixes parts, class, scope and checks of the request, as in coding mode. A small team has no reviews,
 * so the baseline, the map and the conventions are made here.
 */
export const scopeWork = (parts: WorkModeParts): Activity => {
  const scopeRequest = scope(parts);
  return async (activity) => {
    const prepared = await prepareReview(parts, activity);
    if (prepared.kind === 'blocked') return prepared.report;
    const report = await scopeRequest(withPatchedContext(activity, prepared.patch));
    return report.kind === 'event' ? { ...report, patch: { ...prepared.patch, ...report.patch } } : report;
  };
};
