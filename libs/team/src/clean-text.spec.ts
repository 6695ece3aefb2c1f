import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWellFormed } from '#kernel';
import { cleanLine, cleanText } from './clean-text.js';

const anyText = fc.string({ unit: 'binary', maxLength: 80 });

describe('clean text', () => {
  it('keeps words, lines and emoji, and drops what no store or page can carry', () => {
    expect(cleanText('  a\u0000b\r\nשלום 👩‍💻\u2028c\u0007\ud800', 100)).toBe('ab\nשלום 👩‍💻\nc\ufffd');
  });

  it('turns no text around', () => {
    expect(cleanText('a\u202egnp.exe\u2066', 100)).toBe('agnp.exe');
  });

  it('never cuts a character in half', () => {
    expect(cleanText('ab👍👍', 4)).toBe('ab…');
    expect(cleanText('ab👍👍', 5)).toBe('ab👍…');
  });

  it('is bounded, well formed and the same when done twice', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, most) => {
        for (const clean of [cleanText, cleanLine]) {
          const once = clean(text, most);
          expect(once.length).toBeLessThanOrEqual(most);
          expect(isWellFormed(once)).toBe(true);
          expect(once).not.toContain('\u0000');
          expect(clean(once, most)).toBe(once);
        }
        expect(cleanLine(text, most)).not.toMatch(/[\n\r\t\u2028]/);
      }),
    );
  });
});
