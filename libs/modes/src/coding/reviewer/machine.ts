import { defineMachine, type Guards } from '#engine';
import { reviewerContextOf } from './review.js';

/** A reviewer whose work cannot be used, or who did not end in time, is seated again once. */
const respawns = { name: 'respawns', max: 1 } as const;

/** The seat of a critical reviewer, or of one whose answers stay invalid, goes to the next tier once. */
const raises = { name: 'raises', max: 1 } as const;

export const reviewGuards: Guards = {
  'seat-is-raised': (context) => reviewerContextOf({ context }).raisedFrom !== undefined,
};

/** One reviewer, as a project of its own that any worker can drive. What it found is the result that its parent reads. */
export const reviewMachine = defineMachine(
  'review',
  2,
  {
    READING: {
      do: 'review-code',
      on: {
        'review:handed-in': 'DONE',
        'review:unusable': [
          { to: 'READING', bound: respawns },
          { to: 'READING', when: 'seat-is-raised', bound: raises },
          'LOST',
        ],
        // Another try would meet the same cap.
        'review:unaffordable': 'LOST',
      },
    },
    DONE: { end: 'completed' },
    LOST: { end: 'aborted' },
  },
  { abortTo: 'LOST' },
);
