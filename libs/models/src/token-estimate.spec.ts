import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutToTokens, tokensAtMost } from './token-estimate.js';

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 400 }));

describe('how many tokens a text has at most', () => {
  it('is more than one for each word, and never more than its bytes', () => {
    expect(tokensAtMost('Add dark mode toggle')).toBe(9);
    expect(tokensAtMost('2026-11-17')).toBe(10);
    expect(tokensAtMost('日本')).toBe(6);
    fc.assert(fc.property(anyText, (text) => tokensAtMost(text) <= Buffer.byteLength(text)));
  });

  it('grows with the text', () => {
    fc.assert(fc.property(anyText, anyText, (one, two) => tokensAtMost(`${one} ${two}`) >= tokensAtMost(one)));
  });
});

describe('a text that is cut', () => {
  it('has at most so many, is whole where it fits, and ends in no half character', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 4, max: 60 }), (text, most) => {
        const cut = cutToTokens(text, most);
        if (tokensAtMost(text) <= most) expect(cut).toBe(text);
        else expect(tokensAtMost(cut)).toBeLessThanOrEqual(most);
        expect(/[\ud800-\udbff]…$/.test(cut)).toBe(false);
      }),
    );
    expect(cutToTokens('x'.repeat(10_000_000), 10).length).toBeLessThan(30);
  });
});
