import type { ActivityContext, Bound } from '#engine';
import { codingOrderOf } from '../coding/coding-context.js';
import type { CodingOrder } from '../coding/order.js';
import type { Seat } from '../coding/reviewer/review.js';
import { healAttempts, uatRounds } from '../shared/bounds.js';

export interface Limits {
  readonly breakers?: CodingOrder['breakers'];
  readonly healAttempts: number;
  readonly uatRounds: number;
  /** Reviewers that are not gone on without. */
  readonly critical: readonly string[];
}

/** What sends the project to a person once the plan is approved, by its own limits. */
export function escalationCriteria({ breakers, healAttempts, uatRounds, critical }: Limits): readonly string[] {
  return [
    'its budget is spent, in USD or in tokens',
    ...(critical.length > 0 ? [`a critical reviewer is lost twice: ${critical.join(', ')}`] : []),
    `a problem is not mended after ${times(healAttempts, 'attempt')}`,
    ...(breakers
      ? [
          `the same error comes up ${times(breakers.recurrences, 'time')}`,
          `${times(breakers.orphans, 'process', 'processes')} or more outlive what they were started for`,
        ]
      : []),
    'a fix would touch secrets or drop data, or something is not permitted',
    'nothing proves the result: no test ran, or tests were removed, skipped or weakened',
    `acceptance still fails after ${times(uatRounds, 'round')} of mending`,
    'the set-up fails, or no model answers',
  ];
}

const times = (count: number, one: string, many = `${one}s`): string => `${String(count)} ${count === 1 ? one : many}`;

/** Those of a project, and of the team that is to work on it. */
export const limitsOf = (activity: Pick<ActivityContext, 'context'>, seats: readonly Seat[]): Limits => ({
  breakers: codingOrderOf(activity).breakers,
  healAttempts: limitIn(activity, healAttempts),
  uatRounds: limitIn(activity, uatRounds),
  critical: seats.flatMap(({ agent, isCritical }) => (isCritical ? [agent] : [])),
});

function limitIn({ context }: Pick<ActivityContext, 'context'>, { parameter = '', max }: Bound): number {
  const own = context[parameter];
  return typeof own === 'number' ? own : max;
}
