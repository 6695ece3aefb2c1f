import type { ActivityContext, Bound } from '#engine';
import { codingOrderOf } from '../coding/coding-context.js';
import type { CodingOrder } from '../coding/order.js';
import type { Seat } from '../coding/reviewer/review.js';
import { healAttempts, uatRounds } from '../shared/bounds.js';

export interface Limits {
  readonly breakers?: CodingOrder['breakers'];
  readonly healAttempts: number;
  readonly uatRounds: number;
  readonly hasReviewers: boolean;
}

/** What sends the project to a person once the plan is approved, by its own limits. */
export function escalationCriteria({ breakers, healAttempts, uatRounds, hasReviewers }: Limits): readonly string[] {
  return [
    'its budget is spent, in USD or in tokens',
    ...(hasReviewers ? ['no reviewer hands in anything, after all tries'] : []),
    `a problem is not fixed after ${times(healAttempts, 'attempt')}`,
    ...(breakers
      ? [
          `the same error occurs ${times(breakers.recurrences, 'time')}`,
          `${times(breakers.orphans, 'process', 'processes')} or more keep running after their command has ended`,
        ]
      : []),
    'a fix would touch secrets or drop data, or something is not permitted',
    'the result is not proven, and no attempt to fix that worked',
    `acceptance still fails after ${times(uatRounds, 'round')} of fixes`,
    'the set-up fails, or no model answers',
  ];
}

const times = (count: number, one: string, many = `${one}s`): string => `${String(count)} ${count === 1 ? one : many}`;

/** The limits of a project and its team. */
export const limitsOf = (activity: Pick<ActivityContext, 'context'>, seats: readonly Seat[]): Limits => ({
  breakers: codingOrderOf(activity).breakers,
  healAttempts: limitIn(activity, healAttempts),
  uatRounds: limitIn(activity, uatRounds),
  hasReviewers: seats.length > 0,
});

function limitIn({ context }: Pick<ActivityContext, 'context'>, { parameter = '', max }: Bound): number {
  const own = context[parameter];
  return typeof own === 'number' ? own : max;
}
