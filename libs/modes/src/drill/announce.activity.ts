import { type Activity, report } from '#engine';
import type { Scratch } from '#workspace';

/** Tells the world once. Nobody can find out afterwards whether it was told, so after a crash a person decides. */
export const announce =
  (scratch: Scratch): Activity =>
  async ({ project, context, effect }) => {
    const files = context['files'] as number;
    const announcements = await effect({
      step: 'announce',
      settle: {
        kind: 'ask',
        question:
          'The announcement was under way when the worker died. Was it made (done), or shall it be made (repeat)?',
      },
      run: (run) => scratch.announce(project.id, `${project.name}: ${String(files)} files`, run),
    });
    return report('announced', { announcements });
  };
