import { type Activity, report } from '#engine';
import type { Scratch } from '#workspace';

export const prepare =
  (scratch: Scratch): Activity =>
  async ({ project, effect }) => {
    const commit = await effect({
      step: 'create',
      settle: { kind: 'repeat' },
      run: (run) => scratch.create(project.id, run),
    });
    return report('scratch:ready', { commit });
  };
