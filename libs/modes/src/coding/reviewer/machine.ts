import { defineMachine } from '#engine';

/** A reviewer whose work cannot be used, or who did not end in time, is seated again once. */
const respawns = { name: 'respawns', max: 1 } as const;

/** One reviewer, as a project of its own that any worker can drive. What it found is the result that its parent reads. */
export const reviewMachine = defineMachine(
  'review',
  1,
  {
    READING: {
      do: 'review-code',
      on: {
        'review:handed-in': 'DONE',
        'review:unusable': [{ to: 'READING', bound: respawns }, 'LOST'],
        // Another try would meet the same cap.
        'review:unaffordable': 'LOST',
      },
    },
    DONE: { end: 'completed' },
    LOST: { end: 'aborted' },
  },
  { abortTo: 'LOST' },
);
