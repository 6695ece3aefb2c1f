import { type Activity, type Child, report, waitForChildren } from '#engine';
import { planOf, roundOf } from './plan.js';
import type { Scratch } from '#workspace';

/**
 * Splits a round into tasks that any worker may take, and goes on when all have ended. What they wrote is kept in a
 * commit: the next checkpoint is bound to it, so that whoever goes back there finds the files.
 */
export const split =
  (scratch: Scratch): Activity =>
  async (activity) => {
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
    const { project, effect } = activity;
    const commit = await effect({
      step: 'keep',
      settle: { kind: 'query', find: (run) => scratch.findCommit(project.id, run) },
      run: (run) => scratch.commit(project.id, `Tasks of round ${String(round)}`, activity.checkpoint, run),
    });
    return report('tasks:joined', { done, commit }, { done });
  };
