import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nanoOf, nanoPerMillion, usdOf } from './nano-usd.js';

describe('money as text', () => {
  it('is exact, with at least two decimals', () => {
    expect([0n, 1n, 420_000_000n, 40_000_000_000n, 1_234_567_890n].map(usdOf)).toEqual([
      '0.00', '0.000000001', '0.42', '40.00', '1.23456789',
    ]); // prettier-ignore
  });

  it('comes back as the same amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999_999n }), (nano) => {
        expect(nanoOf(usdOf(nano))).toBe(nano);
      }),
    );
  });

  it.each(['', '-1', '1.', '.5', '1e3', '1,5', '1.0000000001', '1234567890', 'NaN', ' 1'])('is not %j', (text) => {
    expect(() => nanoOf(text)).toThrow(expect.objectContaining({ code: 'AMOUNT_INVALID' }));
  });
});

describe('a price of a million tokens', () => {
  it.each([
    [0.1, 100_000_000n], ['2.50', 2_500_000_000n], [75, 75_000_000_000n], [0.0375, 37_500_000n], [1e-7, 100n],
    ['0.0000000001', 1n],
  ] as const)('of %j dollars is %s nano-dollars, what is finer rounded up', (usd, nano) => {
    expect(nanoPerMillion(usd)).toBe(nano);
  }); // prettier-ignore

  it.each([-1, NaN, Infinity, 1e21, 'free', '', '1e5'])('is never %j', (usd) => {
    expect(nanoPerMillion(usd)).toBeNull();
  });
});
