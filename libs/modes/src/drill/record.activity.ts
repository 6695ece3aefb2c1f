import { type Activity, report } from '#engine';
import { roundOf } from './plan.js';
import type { Scratch } from '#workspace';

export const record =
  (scratch: Scratch): Activity =>
  async ({ project, context, incarnation, visit, signal, effect }) => {
    const key = `${String(incarnation)}/${String(visit)}/commit`;
    const commit = await effect({
      step: 'commit',
      settle: { kind: 'query', find: () => scratch.findCommit(project.id, key, signal) },
      run: (run) => scratch.commit(project.id, `Round ${String(roundOf(context))}`, run),
    });
    return report('round:recorded', { commit }, { commit });
  };
