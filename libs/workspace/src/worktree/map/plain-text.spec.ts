import { describe, expect, it } from 'vitest';
import { cleanLine, cleanLines, cutText, fitLines } from './plain-text.js';

describe('cleanLine', () => {
  it.each([
    ['line breaks', 'a\nb\r\nc\u2028d', 'a b c d'],
    ['control characters', 'a\u001b[31mb\u0000c\u009bd', 'a [31mb c d'],
    ['invisible and reordering characters', 'a\u202Eb\u200Bc\u{E0041}', 'abc'],
    ['half characters', 'a\uD800b', 'a\uFFFDb'],
  ])('removes %s', (_what, text, clean) => {
    expect(cleanLine(text, 100)).toBe(clean);
  });

  it('cuts a long line and says so', () => {
    expect(cleanLine('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
  });
});

describe('cleanLines', () => {
  it('keeps lines and tabs, removes control characters and cuts long lines', () => {
    expect(cleanLines('\uFEFF# A\r\n\tb\u0007\n\n' + 'x'.repeat(30), 10)).toBe(`# A\n\tb\n\n${'x'.repeat(9)}…`);
  });
});

describe('cutText', () => {
  it('never cuts a character in two', () => {
    expect(cutText('ab😀c', 4)).toBe('ab…');
    expect(cutText('ab😀', 4)).toBe('ab😀');
  });
});

describe('fitLines', () => {
  const rest = (left: number): string => `+${String(left)}`;

  it('keeps all lines if they fit', () => {
    expect(fitLines(['aa', 'bb'], 6, rest)).toEqual(['aa', 'bb']);
  });

  it('counts the lines that do not fit', () => {
    expect(fitLines(['aa', 'bb', 'cc'], 8, rest)).toEqual(['aa', '+2']);
    expect(fitLines(['aaaaaaaaa', 'bb'], 5, rest)).toEqual(['+2']);
  });

  it('is empty if not even the count fits', () => {
    expect(fitLines(['aa', 'bb'], 1, rest)).toEqual([]);
  });
});
