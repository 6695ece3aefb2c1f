import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserError } from './errors.js';
import { type JsonLimits, parseJsonStrict } from './strict-json.js';

const LIMITS: JsonLimits = { maxDepth: 4, maxBytes: 1_000 };

function refusal(text: string, limits = LIMITS): UserError {
  try {
    parseJsonStrict(text, limits);
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

describe('parseJsonStrict', () => {
  it.each([
    ['[[[[[]]]]]', 'JSON_TOO_DEEP', 'nest objects and arrays at most 4 levels'],
    ['{"a":[{"b":[{}]}]}', 'JSON_TOO_DEEP', 'nest objects and arrays at most 4 levels'],
    [`"${'é'.repeat(500)}"`, 'JSON_TOO_LARGE', 'has 1002 bytes; send at most 1000'],
    ['', 'JSON_MALFORMED', 'check it with a JSON validator'],
    ['{"a":1', 'JSON_MALFORMED', 'check it with a JSON validator'],
    ['{a:1}', 'JSON_MALFORMED', 'check it with a JSON validator'],
    ['[NaN]', 'JSON_MALFORMED', 'check it with a JSON validator'],
    [']]]]]]', 'JSON_MALFORMED', 'check it with a JSON validator'],
    ['{"a":"\\ud800"}', 'JSON_MALFORMED', 'the text at $.a contains half a character'],
    ['{"a":[1e999]}', 'JSON_MALFORMED', 'the number at $.a[0] is too large to be kept'],
    ['-1e999', 'JSON_MALFORMED', 'the number at $ is too large to be kept'],
    ['{"__proto__":1}', 'JSON_FORBIDDEN_KEY', 'the key __proto__ at $ is not allowed; rename or remove it'],
    ['{"\\u005f_proto__":1}', 'JSON_FORBIDDEN_KEY', 'the key __proto__ at $ is not allowed'],
    ['{"a":[{"constructor":1}]}', 'JSON_FORBIDDEN_KEY', 'the key constructor at $.a[0] is not allowed'],
    ['{"a":{"prototype":1}}', 'JSON_FORBIDDEN_KEY', 'the key prototype at $.a is not allowed'],
    ['["a\\u0000b"]', 'TEXT_HAS_NUL', 'the text at $[0] contains the character U+0000; remove it'],
    ['{"a\\u0000":1}', 'TEXT_HAS_NUL', 'the text at $ contains the character U+0000; remove it'],
    ['"a\u0000b"', 'TEXT_HAS_NUL', 'the JSON text contains the character U+0000; remove it'],
  ])('refuses %j with %s', (text, code, message) => {
    const error = refusal(text);
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });

  it.each([
    ['brackets inside a text', '["[[[[[[{{{{{{"]', ['[[[[[[{{{{{{']],
    ['an escaped quote before brackets', '["\\"[[[[[["]', ['"[[[[[[']],
    ['an escaped backslash at the end of a text', '["\\\\",[[[1]]]]', ['\\', [[[1]]]]],
    ['exactly the depth allowed', '[[[[1]]]]', [[[[1]]]]],
    ['neighbours that are no deeper', '[[],[],[],[],[],[]]', [[], [], [], [], [], []]],
    ['a forbidden name as a value', '{"a":"__proto__"}', { a: '__proto__' }],
    ['a scalar', ' 1 ', 1],
  ])('accepts %s', (_what, text, value) => {
    expect(parseJsonStrict(text, LIMITS)).toEqual(value);
  });

  it('measures depth before it parses, so that no text is too deep to refuse', () => {
    const deep = '['.repeat(2_000_000);
    expect(refusal(deep, { maxDepth: 100, maxBytes: 10_000_000 }).code).toBe('JSON_TOO_DEEP');
  });

  it('names a place of bounded length, whatever the keys', () => {
    const text = JSON.stringify({ ['k'.repeat(5_000)]: { constructor: 1 } });
    expect(refusal(text, { maxDepth: 4, maxBytes: 10_000 }).message.length).toBeLessThan(300);
  });

  it('agrees with JSON.parse on everything it accepts, and refuses the rest as the user’s error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json({ stringUnit: 'binary' }), fc.string()), (text) => {
        try {
          expect(parseJsonStrict(text, { maxDepth: 10, maxBytes: 10_000 })).toEqual(JSON.parse(text));
        } catch (error) {
          if (!(error instanceof UserError)) throw error;
        }
      }),
    );
  });
});
