import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeIn, placeOf } from './place.js';

describe('the place of a finding', () => {
  it.each([
    ['src/a.ts', 'src/a.ts', null],
    ['./src//a.ts:12', 'src/a.ts', 12],
    ['src\\win\\a.ts', 'src/win/a.ts', null],
    ['`src/a.ts#L12-L20`', 'src/a.ts', 12],
    ['Makefile', 'Makefile', null],
    ['docs/שלום.md:3', 'docs/שלום.md', 3],
    ['__proto__', '__proto__', null],
  ])('reads %s', (text, file, line) => {
    expect(placeOf(text)).toEqual({ file, line });
  });

  it.each([
    '', '.', '/etc/passwd', '~/x', 'C:\\x', '../x', 'a/../../x', 'a/.. /x', '..\\x', 'https://x.org/a.ts', 'a\u0000b', 'a\nb',
    'a\ud800', 'x'.repeat(501), '/'.repeat(1_000_000),
  ])('has none outside of the repository: %j', (text) => {
    expect(placeOf(text)).toBeNull();
  }); // prettier-ignore

  it('never leaves the repository, whatever is written', () => {
    const part = fc.constantFrom('..', '.', '/', '\\', 'a', ' ', ':', '1', '~', '`', '\u0000');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const place = placeOf(parts.join(''));
        const segments = place?.file.split('/') ?? ['a'];
        expect(segments.map((segment) => segment.trim())).not.toContain('..');
        expect(place?.file.startsWith('/') ?? false).toBe(false);
      }),
    );
  });

  it('is found within a sentence', () => {
    expect(placeIn('The check (src/auth.ts:41) is late.')).toEqual({ file: 'src/auth.ts', line: 41 });
    expect(placeIn('See `auth.ts`.')).toEqual({ file: 'auth.ts', line: null });
    expect(placeIn('Use Node.js, e.g. with and/or.')).toBeNull();
    expect(placeIn('see https://x.org/a.html')).toBeNull();
  });
});
