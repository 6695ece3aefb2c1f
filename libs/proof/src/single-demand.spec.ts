import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namesToken } from './single-demand.js';
import { isSmallSubstitution } from './small-substitution.js';

describe('a small substitution is one that was asked for', () => {
  const FAILURE = {
    name: 'test/units.test.js: an hour',
    output: [
      'not ok 1 - an hour',
      "  location: 'test/units.test.js:25:1'",
      '  duration_ms: 15',
      'AssertionError [ERR_ASSERTION]: 1296000 !== 12960000',
      'expected: 12960000',
      '    at assert.equal (test/units.test.js:40:10)',
    ].join('\n'),
  };
  const ask = (request: string, [old, now]: readonly [string, string], more: { parts?: number } = {}) =>
    isSmallSubstitution({
      patch: `diff --git a/src/a.js b/src/a.js\n--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1 @@\n-${old}\n+${now}\n`,
      isCut: false,
      files: [{ path: 'src/a.js', status: 'changed' }],
      isSource: () => true,
      ...{ request, parts: 1, failures: [FAILURE] },
      ...more,
    });
  const HOUR = ['hour = 360;', 'hour = 3600;'] as const;

  it.each([
    'An hour has 360 seconds instead of 3600. Fix it.',
    'toSeconds("1h") returns 360, so an_hour fails. An hour has 3600 seconds; please fix it.',
    'The test "an hour" fails: an hour is not 3600 seconds. Make the failing tests pass.',
    'Raise the length of an hour from 360 to 3600.',
    'Please set the hour to 3600',
  ])('%s', (request) => {
    expect(ask(request, HOUR)).toBe(true);
  });

  it.each([
    'An hour has 3600 seconds, and a day is wrong too.',
    'The seconds of an hour and of a day are wrong: 3600. Fix both.',
    'An hour has 3600 seconds, a day 86400.',
    'An hour has 3600 seconds. A day has more.',
    'An hour has 3600 seconds; list the units.',
    'Set an hour to 3600, set a day right.',
    'Set an hour to 3600, a timeout to 30s.',
    'Set an hour to 3600, a day to twelve hours.',
    'Fix the hour, 3600, in the README.',
    'An hour has 3600 seconds. Document the units.',
    'An hour has 3600 seconds. Add a test.',
    'An hour has 3600 seconds\n- a day\n- a week',
    '1. An hour has 3600 seconds\n2. A day',
    'Eine Stunde hat 3600 Sekunden.',
    'Fix it: 3600 in einer Stunde und im Tag.',
    'Has 3600 seconds à l’heure.',
    'An hour has 3600 seconds. Do it everywhere.',
    'An hour has 3600 seconds. Raise the width, too.',
    'The hour is wrong, the day is wrong. Fix it, 3600.',
    `An hour has 3600 seconds. ${'It is so. '.repeat(50)}`,
  ])('it has a reader if the request may ask for more: %s', (request) => {
    expect(ask(request, HOUR)).toBe(false);
  });

  it('has a new number that the request or a failing test names', () => {
    const wrong = 'Hours are wrong. Fix it.';
    expect(ask(wrong, ['x = 100;', 'x = 12960000;'])).toBe(true);
    expect(ask(wrong, ['x = 100;', 'x = 7;'])).toBe(false);
    // A position and a duration in the output say nothing.
    for (const number of ['25', '15', '40', '10']) expect(ask(wrong, ['x = 100;', `x = ${number};`])).toBe(false);
    expect(ask('A week has seven days.', ['x = 5;', 'x = 7;'])).toBe(true);
    expect(ask('A week has 7.5 days.', ['x = 5;', 'x = 7;'])).toBe(false);
  });

  it('has a new name that the request or a failing test names, or another operator', () => {
    expect(ask('total() uses rate instead of factor. Fix it.', ['x = a * rate;', 'x = a * factor;'])).toBe(true);
    expect(ask('The total is wrong. Fix it.', ['x = a * rate;', 'x = a * factor;'])).toBe(false);
    expect(ask('The total is wrong. Fix it.', ['x = a * rate;', 'x = a / rate;'])).toBe(true);
  });

  it('is the only part of the request', () => {
    expect(ask('An hour has 3600 seconds.', HOUR, { parts: 2 })).toBe(false);
    expect(ask('An hour has 3600 seconds.', HOUR, { parts: 0 })).toBe(false);
  });

  it('has a reader if anything is added to its request that a text could demand', () => {
    const more = fc.constantFrom(
      ...['and the day', 'also the day', 'the README', 'a day has 86400', 'rename it, please', 'then the week'],
      ...['as well as days', 'add a test', '- the day', 'all units', 'the others', 'list them', 'plus days'],
    );
    const join = fc.constantFrom('. ', '; ', ', ', '\n', ': ', '\n\n');
    fc.assert(
      fc.property(more, join, fc.boolean(), (words, between, isFirst) => {
        const all = ['An hour has 3600 seconds, not 360', words];
        expect(ask((isFirst ? all.toReversed() : all).join(between), HOUR)).toBe(false);
      }),
    );
  });

  it('never has a new number that nothing names, whatever the request says', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 2, max: 1e6 }), (request, number) => {
        if (ask(request, ['x = 1;', `x = ${String(number)};`])) {
          expect(namesToken(`${request} 1296000 12960000`, String(number))).toBe(true);
        }
      }),
    );
  });
});
