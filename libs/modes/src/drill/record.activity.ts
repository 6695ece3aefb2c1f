import { type Activity, report } from '#engine';
import { roundOf } from './plan.js';
import type { Scratch } from '#workspace';

export const record =
  (scratch: Scratch): Activity =>
  async (activity) => {
    const { project, context, effect } = activity;
    const commit = await effect({
      step: 'commit',
      settle: { kind: 'query', find: (run) => scratch.findCommit(project.id, run) },
      run: (run) => scratch.commit(project.id, `Round ${String(roundOf(context))}`, activity.checkpoint, run),
    });
    return report('round:recorded', { commit }, { commit });
  };
