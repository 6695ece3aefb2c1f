import type { ActivityContext } from '#engine';
import { failuresWithOutput } from '../../shared/failing-tests.js';
import { baselineOf } from '../../shared/work-parts.js';
import { codingOrderOf, tasksOf } from '../coding-context.js';
import { approvedStepsOf } from './approved-steps.js';
import { buildPlan } from './build-plan.js';
import type { RequestPlan } from './request-plan.js';

/**
 * The plan of a project that comes to its proof without one: a person went on with what was done before SCOPING could
 * plan it. The request is one part, and the steps are those that were approved.
 */
export function makeFallbackPlan(activity: ActivityContext): RequestPlan {
  const { goal = null } = codingOrderOf(activity);
  const baseline = baselineOf(activity);
  const { plan } = buildPlan({
    request: activity.project.request,
    planned: { failed: 'The project has no plan of a planner.' },
    findings: [],
    failures: baseline ? failuresWithOutput(baseline) : [],
    approvedSteps: approvedStepsOf(activity),
    asides: 'none',
    goal,
    tasks: tasksOf(activity),
  });
  return plan;
}
