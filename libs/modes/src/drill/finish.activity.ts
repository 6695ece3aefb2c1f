import { type Activity, report } from '#engine';
import type { Scratch } from '#workspace';

export const finish =
  (scratch: Scratch): Activity =>
  async (activity) => {
    const { project, effect } = activity;
    const commit = await effect({
      step: 'commit',
      settle: { kind: 'query', find: (run) => scratch.findCommit(project.id, run) },
      run: (run) => scratch.commit(project.id, 'The drill is over', activity.checkpoint, run),
    });
    return report('finished', { commit, result: { commit } }, { commit });
  };

export const scrap =
  (scratch: Scratch): Activity =>
  async ({ project, effect }) => {
    await effect({ step: 'scrap', settle: { kind: 'repeat' }, run: (run) => scratch.scrap(project.id, run) });
    return report('scrapped');
  };
