import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Usage } from '../model.port.js';
import {
  type ClassPrices,
  costOf,
  countedTokens,
  mostOf,
  type Price,
  reservationOf,
  SIMULATED_PRICE,
} from './price.js';

const cents = fc.bigInt({ min: 0n, max: 100_000_000_000n });
const classes: fc.Arbitrary<ClassPrices> = fc.record({
  input: cents, output: cents, cacheRead: cents, cacheWrite: cents, longCacheWrite: cents, reasoning: cents,
}); // prettier-ignore
const dearer = (base: ClassPrices, more: ClassPrices): ClassPrices => ({
  input: base.input + more.input,
  output: base.output + more.output,
  cacheRead: base.cacheRead + more.cacheRead,
  cacheWrite: base.cacheWrite + more.cacheWrite,
  longCacheWrite: base.longCacheWrite + more.longCacheWrite,
  reasoning: base.reasoning + more.reasoning,
});
/** Any thresholds at all: also ones above which a token is cheaper. */
const price: fc.Arbitrary<Price> = fc.record({
  version: fc.constant('test'),
  classes,
  thresholds: fc
    .uniqueArray(fc.record({ above: fc.nat(400_000), classes }), { maxLength: 3, selector: ({ above }) => above })
    .map((all) => all.toSorted((a, b) => a.above - b.above)),
});
/** Thresholds as providers have them: what is above costs more. */
const risingPrice: fc.Arbitrary<Price> = price.map(({ thresholds, ...rest }) => {
  let below = rest.classes;
  const rising = thresholds.map((one) => ({ above: one.above, classes: (below = dearer(below, one.classes)) }));
  return { ...rest, thresholds: rising };
});
const tokens = fc.nat(300_000);
const usage: fc.Arbitrary<Usage> = fc
  .record({
    input: tokens,
    output: tokens,
    cacheRead: tokens,
    cacheWrite: tokens,
    thoughts: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ thoughts, ...rest }) => ({ ...rest, reasoning: Math.floor(rest.output * thoughts) }));

const haiku: Price = {
  version: 'test',
  classes: { input: 100_000_000n, output: 500_000_000n, cacheRead: 10_000_000n, cacheWrite: 125_000_000n, longCacheWrite: 200_000_000n, reasoning: 500_000_000n },
  thresholds: [{
    above: 100_000,
    classes: { input: 500_000_000n, output: 2_500_000_000n, cacheRead: 50_000_000n, cacheWrite: 625_000_000n, longCacheWrite: 1_000_000_000n, reasoning: 2_500_000_000n },
  }],
}; // prettier-ignore
const of = (change: Partial<Usage>): Usage => ({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: 0,
  ...change,
});

describe('the cost of a call', () => {
  it('is the sum of its token classes', () => {
    const spent = of({ input: 10_000, output: 2_000, cacheRead: 50_000, cacheWrite: 4_000, reasoning: 500 });
    expect(costOf(spent, haiku)).toBe(1_000_000n + 1_000_000n + 500_000n + 500_000n);
    expect(costOf(spent, haiku, true)).toBe(1_000_000n + 1_000_000n + 500_000n + 800_000n);
  });

  it('is that of the dearer table as soon as the whole prompt is above the threshold', () => {
    expect(costOf(of({ input: 40_000, cacheRead: 60_000, output: 1 }), haiku)).toBe(4_000_000n + 600_000n + 500n);
    expect(costOf(of({ input: 40_000, cacheRead: 60_001, output: 1 }), haiku)).toBe(20_000_000n + 3_000_050n + 2_500n);
  });

  it('is rounded up to a whole nano-dollar', () => {
    expect(costOf(of({ input: 1 }), { ...haiku, classes: { ...haiku.classes, input: 1n } })).toBe(1n);
  });

  it('is nothing where no model answered', () => {
    fc.assert(fc.property(usage, (spent) => costOf(spent, SIMULATED_PRICE) === 0n));
  });

  it('never falls when more was used', () => {
    fc.assert(
      fc.property(risingPrice, usage, fc.constantFrom('input', 'output', 'cacheRead', 'cacheWrite'), fc.nat(1_000), (table, spent, which, more) => {
        expect(costOf({ ...spent, [which]: spent[which] + more }, table) >= costOf(spent, table)).toBe(true);
      }),
    ); // prettier-ignore
  });
});

describe('a reservation', () => {
  it('is never less than what a call within its bound costs and counts, whatever the prices', () => {
    const within = fc.tuple(price, usage, fc.nat(10_000), fc.nat(10_000), fc.boolean());
    fc.assert(
      fc.property(within, ([table, spent, moreIn, moreOut, hasLongCache]) => {
        const prompt = spent.input + spent.cacheRead + spent.cacheWrite;
        const bound = { inputTokens: prompt + moreIn, outputTokens: spent.output + moreOut, hasLongCache };
        const reserved = reservationOf(bound, table);
        expect(reserved.nanoUsd >= costOf(spent, table, hasLongCache)).toBe(true);
        expect(reserved.tokens).toBeGreaterThanOrEqual(countedTokens(spent));
      }),
      { numRuns: 1_000 },
    );
  });

  it('has tokens for all that no cache is known to hold and for the longest answer, and never more than its money is for', () => {
    const cached = fc.record({ inputTokens: tokens, outputTokens: tokens, uncachedTokens: fc.nat(400_000) });
    fc.assert(
      fc.property(price, cached, (table, bound) => {
        const { uncachedTokens, ...uncached } = bound;
        const reserved = reservationOf(bound, table);
        const whole = reservationOf(uncached, table);
        expect(reserved.nanoUsd).toBe(whole.nanoUsd);
        expect(reserved.tokens).toBeLessThanOrEqual(whole.tokens);
        expect(reserved.tokens).toBe(Math.min(uncachedTokens, bound.inputTokens) + bound.outputTokens);
      }),
    );
  });

  it('knows the threshold only where the prompt can reach it', () => {
    expect(mostOf({ inputTokens: 100_000, outputTokens: 1_000 }, haiku)).toBe(12_500_000n + 500_000n);
    expect(mostOf({ inputTokens: 100_001, outputTokens: 1_000 }, haiku)).toBe(62_500_625n + 2_500_000n);
  });

  it('counts as tokens what was written to a cache, not what was read from it', () => {
    expect(countedTokens(of({ input: 1, output: 10, cacheRead: 1_000, cacheWrite: 100, reasoning: 5 }))).toBe(111);
  });
});
