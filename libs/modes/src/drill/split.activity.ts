import { type Activity, type Child, report, waitForChildren } from '#engine';
import { planOf, roundOf } from './plan.js';

/** Splits a round into tasks that any worker may take, and goes on when all have ended. */
export const split = (): Activity => async (activity) => {
  const { width, workMs } = planOf(activity.context);
  const round = roundOf(activity.context);
  const children = Array.from({ length: width }, (_, index): Child => {
    const key = `task-${String(index + 1)}`;
    const file = `round-${String(round)}/${key}.txt`;
    return { key, machine: 'drill-task', context: { drill: activity.project.id, file, workMs } };
  });
  const results = await activity.joined(children);
  if (!results) return waitForChildren(children);
  const done = results.filter((result) => result.outcome === 'completed').length;
  return report('tasks:joined', { done }, { done });
};
