import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nanoOf } from '#models';
import { capFor, centsOf, costWords, minutesOf, proofCentsFor, timeWords, totalOf } from './estimate.js';

const wild = fc.double({ noNaN: false });
const range = fc.record({ low: wild, expected: wild, high: wild });

describe('an estimate', () => {
  it('is whole, in order and within bounds, whatever a model makes of it', () => {
    fc.assert(
      fc.property(range, (given) => {
        for (const { low, expected, high } of [centsOf(given), minutesOf(given)]) {
          expect([low, expected, high].every((one) => Number.isSafeInteger(one) && one >= 1)).toBe(true);
          expect(low <= expected && expected <= high).toBe(true);
        }
        expect(centsOf(given).high).toBeLessThanOrEqual(1_000_000);
      }),
    );
  });

  it('is told in plain words', () => {
    expect(costWords(centsOf({ low: 0.29, expected: 1, high: 2.005 }))).toBe('1.00 USD, from 0.29 to 2.01');
    expect(timeWords(minutesOf({ low: 0, expected: 1, high: 4.2 }))).toBe('1 minute, from 1 to 5');
    expect(centsOf({ low: 0, expected: 0, high: 0 })).toEqual({ low: 1, expected: 1, high: 1 });
  });

  it('of a plan is the sum of its steps', () => {
    fc.assert(
      fc.property(fc.array(range, { maxLength: 20 }), (ranges) => {
        const all = ranges.map(centsOf);
        expect(totalOf(all).high).toBe(all.reduce((sum, { high }) => sum + high, 0));
      }),
    );
  });
});

describe('the cap that an approval sets', () => {
  it('allows half of the steps for plan, checks and proof, and at least one dollar', () => {
    expect([1, 200, 201, 1_000].map(proofCentsFor)).toEqual([100, 100, 101, 500]);
  });

  it('is whole cents, never less than what was approved and used, and less than a cent more', () => {
    const used = fc.bigInt({ min: 0n, max: 10n ** 15n }).map((nano) => {
      const text = nano.toString().padStart(10, '0');
      return `${text.slice(0, -9)}.${text.slice(-9)}`;
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000_000 }), used, (high, usedUsd) => {
        const proofCents = proofCentsFor(high);
        const cap = capFor({ highCents: high, proofCents }, usedUsd);
        const exact = BigInt(high + proofCents) * 10_000_000n + nanoOf(usedUsd);
        expect(cap).toMatch(/^\d+\.\d\d$/);
        expect(nanoOf(cap) >= exact && nanoOf(cap) - exact < 10_000_000n).toBe(true);
      }),
    );
    const small = { highCents: 20, proofCents: 100 };
    expect(capFor(small, '0.00')).toBe('1.20');
    expect(capFor(small, '0.000000001')).toBe('1.21');
  });
});
