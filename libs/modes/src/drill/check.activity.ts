import { EngineBug } from '#kernel';
import { type Activity, report } from '#engine';
import { planOf, roundOf } from './plan.js';
import type { Scratch } from '#workspace';

/** What the scratch repository counts with. */
const COUNT = 'git ls-tree -r --name-only HEAD | wc -l';

/** Evidence, not a claim: counts the files that the round's commit really holds. */
export const check =
  (scratch: Scratch): Activity =>
  async ({ project, context, effect }) => {
    const round = roundOf(context);
    const { rounds, width } = planOf(context);
    const files = await effect({
      step: 'count',
      settle: { kind: 'repeat' },
      run: (run) => scratch.countFiles(project.id, run),
    });
    if (files < round * width) {
      throw new EngineBug(
        'ROUND_INCOMPLETE',
        `round ${String(round)} left ${String(files)} of ${String(round * width)} files`,
      );
    }
    const remaining = rounds - round;
    const evidence = { command: COUNT, commit: context['commit'] ?? null, expected: round * width, files, round };
    return report('round:passed', { evidence, files, round: round + 1 }, { files, remaining });
  };
