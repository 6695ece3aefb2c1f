import type { ActivityContext } from '#engine';
import { isAside } from '../asides.js';
import type { BlockDetails } from '../block-screen.js';
import { tasksOf } from '../coding-context.js';

/** What a person reads if the proof cannot go on: the list of what is committed would look like the end of the work. */
export function describeStoppedProof(activity: Pick<ActivityContext, 'context'>): BlockDetails {
  const asides = tasksOf(activity).filter((task) => task.commit !== null && isAside(activity, task));
  const ids = asides.map(({ id }) => id).join(', ');
  const besides = asides.length === 0 ? '' : ` Fixes beside the request are among them: ${ids}.`;
  return { sections: [`Not proven yet: the tasks are done, but the proof of the result is not.${besides}`] };
}
