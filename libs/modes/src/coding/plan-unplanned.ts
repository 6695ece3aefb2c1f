import { type ActivityContext, type Report, report } from '#engine';
import { failuresWithOutput } from '../shared/failing-tests.js';
import { baselineOf } from '../shared/work-parts.js';
import { codingOrderOf, findingsOf, tasksOf, unblocked } from './coding-context.js';
import { contextOf, patchOf } from './context.js';
import { approvedStepsOf } from './scoping/approved-steps.js';
import { buildPlan } from './scoping/build-plan.js';

/**
 * A project that began under an older table comes from its reviews straight to EXECUTING: no state has planned it. The
 * request is one step then. Null if there is a plan, or tasks of an older release.
 */
export function planUnplanned(activity: ActivityContext): Report | null {
  const { requestPlan, findings } = contextOf(activity);
  const tasks = tasksOf(activity);
  if (requestPlan || findings === undefined || tasks.some(({ kind }) => kind !== 'review')) return null;
  const { goal = null, asides = 'P1' } = codingOrderOf(activity);
  const baseline = baselineOf(activity);
  const built = buildPlan({
    request: activity.project.request,
    planned: { failed: 'The project began without a planner.' },
    findings: findingsOf(activity),
    failures: baseline ? failuresWithOutput(baseline) : [],
    approvedSteps: approvedStepsOf(activity),
    asides,
    goal,
    tasks,
  });
  const known = { requestPlan: built.plan, tasks: [...built.tasks], findings: [...built.findings] };
  // An event that leads back to EXECUTING in every version of the table.
  return report('decision:heeded', patchOf({ ...unblocked, ...known }), { tasks: built.tasks.length });
}
