import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.js';
import type { Json } from './json.js';
import { isWellFormed } from './text.js';

const anyJson = fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<Json>;

describe('canonicalJson', () => {
  it('gives the text of the example in RFC 8785, section 3.2.2', () => {
    const value = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
        '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    ) as Json;
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts keys by UTF-16 units, as the example in RFC 8785, section 3.2.3', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    const order = Object.values(JSON.parse(canonicalJson(value)) as Record<string, string>);
    // JSON.parse lists the key that looks like an index first; the text itself is in order.
    expect(canonicalJson(value).startsWith('{"\\r":"Carriage Return","1":"One","\u0080"')).toBe(true);
    expect(order.slice(2)).toEqual([
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  it.each([
    [0, '0'],
    [-0, '0'],
    [5e-324, '5e-324'],
    [-1.7976931348623157e308, '-1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
    [0.000001, '0.000001'],
    [333333333.33333325, '333333333.33333325'],
  ])('writes the number %d as RFC 8785, appendix B, does', (number, text) => {
    expect(canonicalJson(number)).toBe(text);
  });

  it.each([NaN, Infinity, -Infinity])('refuses %d', (number) => {
    expect(() => canonicalJson({ deep: [number] })).toThrow(TypeError);
  });

  it.each([undefined, 10n, Symbol('s'), (): number => 1])('refuses what JSON has no word for: case %#', (value) => {
    expect(() => canonicalJson([value] as unknown as Json)).toThrow(/JSON cannot carry/);
  });

  it('refuses half a character, in a text and in a key', () => {
    expect(() => canonicalJson({ text: 'cut \ud83d' })).toThrow('lone surrogate');
    expect(() => canonicalJson({ '\ude00': 1 })).toThrow('lone surrogate');
    expect(canonicalJson('\ud83d\ude00')).toBe('"\ud83d\ude00"');
  });

  it('leaves out members that are undefined', () => {
    expect(canonicalJson({ b: 1, a: undefined } as unknown as Json)).toBe('{"b":1}');
  });

  it('treats __proto__ as a key like any other', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}') as Json)).toBe('{"__proto__":{"a":2},"b":1}');
  });

  it('keeps the value, is idempotent, and knows no order of keys', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        fc.pre(isWellFormed(JSON.stringify(value)) && !/\\ud[89a-f]/i.test(JSON.stringify(value)));
        const text = canonicalJson(value);
        const again = JSON.parse(text) as Json;
        expect(canonicalJson(again)).toBe(text);
        expect(canonicalJson(withKeysReversed(again))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

function withKeysReversed(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withKeysReversed(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, withKeysReversed(member)] as const);
  return Object.fromEntries(entries.reverse());
}
