import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decided, decisionsOf, LONGEST_FEEDBACK, MOST_DECISIONS } from './decisions.js';

const at = '2026-11-16T12:00:00.000Z';
const nth = (feedback: string) => ({ at, gate: 'approval', decision: 'reject', feedback });

it('are remembered in their order, the newest of them, and never more than fits', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { maxLength: 2 * MOST_DECISIONS }), (said) => {
      const context = said.reduce((known, feedback) => ({ ...known, ...decided(known, nth(feedback)) }), {});
      expect(decisionsOf(context)).toEqual(said.slice(-MOST_DECISIONS).map(nth));
    }),
  );
});

it('are remembered without what is too long for every checkpoint, or was not said', () => {
  expect(decisionsOf(decided({}, nth('x'.repeat(20_000))))).toEqual([nth('x'.repeat(LONGEST_FEEDBACK))]);
  expect(decisionsOf(decided({}, nth('')))).toEqual([{ at, gate: 'approval', decision: 'reject' }]);
});
