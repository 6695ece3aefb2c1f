import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterFailure, LADDER, tierOf } from './ladder.js';

/** A problem that nothing mends, from its first attempt to the end of the ladder. */
function climbed(ladder = LADDER) {
  const steps: { tier: string; rollsBack: boolean }[] = [];
  let consecutive = 0;
  for (let attempt = 1; ; attempt += 1) {
    const tier = tierOf(attempt, ladder);
    if (tier === null) return steps;
    const after = afterFailure(consecutive);
    steps.push({ tier, rollsBack: after.rollsBack });
    consecutive = after.consecutive;
  }
}

describe('the ladder of models', () => {
  it('reaches its larger steps although the workspace is rolled back after the third failure', () => {
    expect(climbed()).toEqual([
      { tier: 'small', rollsBack: false },
      { tier: 'small', rollsBack: false },
      { tier: 'medium', rollsBack: true },
      { tier: 'medium', rollsBack: false },
      { tier: 'large', rollsBack: false },
    ]);
  });

  it('is climbed to its end, whatever its steps, and rolled back at every third', () => {
    const ladders = fc.array(fc.constantFrom('small' as const, 'medium' as const, 'large' as const), { maxLength: 20 });
    fc.assert(
      fc.property(ladders, (ladder) => {
        const steps = climbed(ladder);
        expect(steps.map(({ tier }) => tier)).toEqual(ladder);
        expect(steps.map(({ rollsBack }) => rollsBack)).toEqual(ladder.map((_, nth) => nth % 3 === 2));
      }),
    );
  });

  it.each([0, -1, 1.5, Number.NaN])('has no attempt %d', (attempt) => {
    expect(() => tierOf(attempt)).toThrow('counted from 1');
  });
});
