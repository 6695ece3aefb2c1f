import type { ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import { seatsOf } from '../coding/coding-context.js';
import { stepsOf, type WorkStep } from './work-context.js';

const LONGEST_CHECK = 2_000;
const NO_ESTIMATE = { low: 1, expected: 1, high: 1 };

/** The step that a task carries out. What a person wants changed at the end has no step of its own: it is one. */
export function stepFor(scene: Pick<ActivityContext, 'context'>, task: ProjectTask): WorkStep {
  return (
    stepsOf(scene).find((step) => step.task === task.id) ?? {
      task: task.id,
      title: task.title,
      detail: task.detail,
      owner: seatsOf(scene)[0]?.agent ?? 'implementer',
      skills: [],
      // Long words are in the step itself, whole.
      check: `What a person asked for is done: ${task.detail.length > LONGEST_CHECK ? 'all that the step says' : task.detail}`,
      command: null,
      file: null,
      cents: NO_ESTIMATE,
      minutes: NO_ESTIMATE,
    }
  );
}
