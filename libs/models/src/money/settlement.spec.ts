import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Billed, Usage } from '../model.port.js';
import { type CallBound, costOf, countedTokens, type Price, reservationOf } from './price.js';
import { settledFacts, settlementOf } from './settlement.js';

const classes = {
  input: 3_000_000_000n,
  output: 15_000_000_000n,
  cacheRead: 300_000_000n,
  cacheWrite: 3_750_000_000n,
  longCacheWrite: 6_000_000_000n,
  reasoning: 15_000_000_000n,
};
const price: Price = { version: 'test', classes, thresholds: [] };

const settled = (billed: Billed, bound: CallBound, at = price, errorCode: string | null = 'MODEL_CUT_OFF') =>
  settlementOf({
    outcome: { billed, errorCode, answeredBy: null },
    price: at,
    isKnown: true,
    reserved: reservationOf(bound, at),
    outputTokens: bound.outputTokens,
    hasLongCache: bound.hasLongCache ?? false,
    durationMs: 1,
  });

describe('a call that broke off after it said what it was sent', () => {
  const soFar: Usage = { input: 20_000, output: 1, cacheRead: 9_000, cacheWrite: 1_000, reasoning: 0 };

  it('counts that as it is, and its answer with the most that it could have', () => {
    const bound = { inputTokens: 122_000, outputTokens: 16_000 };
    expect(settled({ soFar }, bound)).toEqual({
      ...{
        status: 'cut',
        usage: soFar,
        costNanoUsd: null,
        durationMs: 1,
        answeredBy: null,
        errorCode: 'MODEL_CUT_OFF',
      },
      counted: { tokens: 20_000 + 1_000 + 16_000, nanoUsd: costOf({ ...soFar, output: 16_000 }, price) },
    });
    expect(settledFacts({ billed: { soFar }, errorCode: 'E', answeredBy: null }, null)).toMatchObject({
      ...{ status: 'cut', input: 20_000, cacheRead: 9_000, cacheWrite: 1_000, costUsd: null },
    });
  });

  it('counts thoughts where those are dearer: nobody knows what the rest of it was', () => {
    const dear = { ...price, classes: { ...classes, reasoning: 60_000_000_000n } };
    const bound = { inputTokens: 122_000, outputTokens: 16_000 };
    const all = { ...soFar, output: 16_000, reasoning: 16_000 };
    expect(settled({ soFar }, bound, dear).counted.nanoUsd).toBe(costOf(all, dear));
  });

  it.each([NaN, -1, 1.5, 2 ** 60])('counts with its reservation where what it said is %s', (input) => {
    const bound = { inputTokens: 1_000, outputTokens: 100 };
    const said = { soFar: { ...soFar, input } };
    expect(settled(said, bound)).toMatchObject({ usage: null, counted: reservationOf(bound, price) });
    expect(settledFacts({ billed: said, errorCode: 'E', answeredBy: null }, null)).not.toHaveProperty('input');
  });

  const tokens = fc.nat(1_000_000);
  const prices = fc.bigInt(0n, 100_000_000_000n);
  const anyClasses = fc.record({
    ...{ input: prices, output: prices, cacheRead: prices, cacheWrite: prices, longCacheWrite: prices },
    reasoning: prices,
  });
  const anyPrice = fc.record({
    version: fc.constant('any'),
    classes: anyClasses,
    thresholds: fc.array(fc.record({ above: tokens, classes: anyClasses }), { maxLength: 2 }),
  });
  const usage = fc
    .record({ input: tokens, output: tokens, cacheRead: tokens, cacheWrite: tokens, share: fc.nat(100) })
    .map(({ share, ...rest }) => ({ ...rest, reasoning: Math.floor((rest.output * share) / 100) }));
  const sound = fc
    .record({ said: usage, moreInput: tokens, moreOutput: tokens, hasLongCache: fc.boolean() })
    .map(({ said, moreInput, moreOutput, hasLongCache }) => ({
      said,
      bound: {
        inputTokens: said.input + said.cacheRead + said.cacheWrite + moreInput,
        outputTokens: said.output + moreOutput,
        hasLongCache,
      },
    }));

  it('never counts more than was set aside, nor less than what it said or could still have come to', () => {
    fc.assert(
      fc.property(sound, anyPrice, fc.double({ min: 0, max: 1, noNaN: true }), ({ said, bound }, at, share) => {
        const { counted } = settled({ soFar: said }, bound, at);
        const reserved = reservationOf(bound, at);
        expect(counted.nanoUsd <= reserved.nanoUsd && counted.tokens <= reserved.tokens).toBe(true);
        const rest = Math.floor((bound.outputTokens - said.output) * share);
        for (const reasoning of [said.reasoning, said.reasoning + rest]) {
          const whole = { ...said, output: said.output + rest, reasoning };
          expect(counted.nanoUsd >= costOf(whole, at, bound.hasLongCache)).toBe(true);
          expect(counted.tokens).toBeGreaterThanOrEqual(countedTokens(whole));
        }
      }),
    );
  });

  it('counts no less than what it said though that is more than could be: a wrong bound is not hidden', () => {
    fc.assert(
      fc.property(usage, tokens, tokens, anyPrice, (said, inputTokens, outputTokens, at) => {
        const { counted } = settled({ soFar: said }, { inputTokens, outputTokens }, at);
        expect(counted.nanoUsd >= costOf(said, at)).toBe(true);
        expect(counted.tokens).toBeGreaterThanOrEqual(countedTokens(said));
      }),
    );
  });
});
