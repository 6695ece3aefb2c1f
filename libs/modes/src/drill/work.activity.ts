import { type Activity, report } from '#engine';
import type { Scratch } from '#workspace';

/** One task: writes one file. Writing it again gives the same file, so the effect may be repeated. */
export const work =
  (scratch: Scratch): Activity =>
  async ({ context, effect }) => {
    const { drill, file, workMs } = context as { drill: string; file: string; workMs: number };
    const bytes = await effect({
      step: 'write',
      settle: { kind: 'repeat' },
      run: (run) => scratch.writeFile(drill, file, `the work of ${file}\n`, workMs, run),
    });
    return report('task:done', { result: { file, bytes } });
  };
