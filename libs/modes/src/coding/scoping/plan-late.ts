import { type ActivityContext, type Report, report } from '#engine';
import { failingTests } from '../../shared/failing-tests.js';
import { baselineOf } from '../../shared/work-parts.js';
import { codingOrderOf, findingsOf, tasksOf, unblocked } from '../coding-context.js';
import { contextOf, patchOf } from '../context.js';
import { buildPlan } from './build-plan.js';

/**
 * A project whose table has no SCOPING comes to EXECUTING without tasks, if it was reviewed by this release. Its request
 * becomes one step. Null if there are tasks.
 */
export function planLate(activity: ActivityContext): Report | null {
  const { requestPlan, findings, isReviewed } = contextOf(activity);
  const hasTasks = tasksOf(activity).some(({ kind }) => kind !== 'review');
  if (hasTasks || requestPlan || findings === undefined || isReviewed !== true) return null;
  const { goal = null, asides = 'P1' } = codingOrderOf(activity);
  const baseline = baselineOf(activity);
  const built = buildPlan({
    request: activity.project.request,
    planned: { failed: 'The project began with a table that has no planner.' },
    findings: findingsOf(activity),
    failures: baseline ? failingTests(baseline) : [],
    approvedSteps: [],
    asides,
    goal,
    tasks: tasksOf(activity),
  });
  const patch = patchOf({ requestPlan: built.plan, tasks: [...built.tasks], findings: [...built.findings] });
  return report('decision:heeded', { ...unblocked, ...patch }, { steps: built.plan.steps.length });
}
