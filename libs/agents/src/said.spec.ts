import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOT, SecretBook } from '#kernel';
import { joinedSaid, Said } from './said.js';

const cleaned = (texts: readonly string[], book = new SecretBook()): string => {
  const said = new Said();
  for (const text of texts) said.add(text);
  return said.clean(book);
};

describe('what an agent has said', () => {
  it('is its texts, apart from the empty ones', () => {
    expect(cleaned(['First.', '', ' \n', 'Then.'])).toBe('First.\n\nThen.');
    expect(cleaned([])).toBe('');
  });

  it('is the end of it where that is too long', () => {
    const text = cleaned([...Array.from({ length: 50_000 }, (_, n) => `word ${String(n)}`)]);
    expect(text).toHaveLength(20_000);
    expect(text).toMatch(/word 49998\n\nword 49999$/);
    expect(cleaned(['x'.repeat(1_000_000), 'end'])).toBe(`${'x'.repeat(20_000 - 5)}\n\nend`);
  });

  it('holds no secret, nor the half of one where it was cut', () => {
    const secret = 'hush-hush-hush';
    for (let at = 0; at <= secret.length; at += 1) {
      const text = cleaned([`${secret}${'x'.repeat(20_000 - at)}`], new SecretBook([secret]));
      expect(text).not.toContain('hush');
    }
    expect(cleaned([`It is ${secret}.`], new SecretBook([secret]))).toBe(`It is ${BLOT}.`);
  });

  it('can be stored, whatever was said', () => {
    const anything = fc.array(fc.string({ unit: 'binary', maxLength: 50 }));
    fc.assert(
      fc.property(anything, (texts) => {
        const text = cleaned([...texts, 'a\0b\ud800']);
        expect(text.isWellFormed() && !text.includes('\0')).toBe(true);
      }),
    );
    expect(cleaned([`\u{1f600}${'x'.repeat(19_999)}`])).toBe(`\ufffd${'x'.repeat(19_999)}`);
  });

  it('at several goes is joined, and cut as a whole', () => {
    expect(joinedSaid('', 'First.', undefined, 'Then.')).toBe('First.\n\nThen.');
    expect(joinedSaid('x'.repeat(30_000), 'end')).toHaveLength(20_000);
  });
});
