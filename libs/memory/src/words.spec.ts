import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchWords } from './words.js';

describe('searchWords', () => {
  it('finds words in prose, paths and names, each once', () => {
    expect(searchWords("Fix src/login_form.ts: 'useState' is NULL & fix-me <b>größe</b> a")).toEqual([
      'fix', 'src', 'login', 'form', 'ts', 'usestate', 'is', 'null', 'me', 'größe',
    ]); // prettier-ignore
  });

  it('holds nothing but letters, marks and digits, and not too much, whatever the text', () => {
    const hostile = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom('&', '|', '!', '(', "'", ':*', '\0', '\ud800', 'x', ' ') })); // prettier-ignore
    fc.assert(
      fc.property(hostile, (text) => {
        for (const word of searchWords(text)) expect(word).toMatch(/^[\p{L}\p{M}\p{N}]{1,64}$/u);
      }),
    );
  });

  it('looks at the beginning of a huge text only, and leaves out what is no word', () => {
    expect(searchWords('x'.repeat(5_000_000))).toEqual([]);
    const many = Array.from({ length: 100_000 }, (_, nth) => `word${String(nth)}`).join(' ');
    expect(searchWords(many)).toHaveLength(200);
  });
});
