import { type Activity, report } from '#engine';
import type { Scratch } from '#workspace';
import { planOf } from './plan.js';

/** Tells the world once. Nobody can find out afterwards whether it was told, so after a crash a person decides. */
export const announce =
  (scratch: Scratch): Activity =>
  async ({ project, context, effect }) => {
    const { rounds, width } = planOf(context);
    const { files, commit } = context as { files: number; commit: string };
    const announcement =
      `${project.name}: ${String(files)} files after ${String(rounds)} rounds of ${String(width)} tasks each, ` +
      `all of them counted in commit ${commit} before anybody was told`;
    const announcements = await effect({
      step: 'announce',
      settle: {
        kind: 'ask',
        question:
          'The announcement was under way when the worker died. Was it made (done), or shall it be made (repeat)?',
      },
      run: (run) => scratch.announce(project.id, announcement, run),
    });
    return report('announced', { announcement, announcements });
  };
