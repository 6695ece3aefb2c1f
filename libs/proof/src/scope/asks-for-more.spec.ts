import { expect, it } from 'vitest';
import { mayAskForMore } from './asks-for-more.js';

it.each([
  ['An hour has 360 seconds. Fix that, and list all units in the README.', true],
  ['Fix the option trim: tabs stay. Raise the default width to 72, too.', true],
  ['Fix the option trim: tabs stay. Raise the default width to 72.', true],
  ['- Fix the option trim\n- Raise the default width', true],
  ['Fix the seconds of an hour and of a day. Both are wrong.', true],
  ['An hour has 360 seconds. The README says 3600.', true],
  ['durations.parse("1h") returns 360 seconds, so test_hours fails. An hour has 3600 seconds; please fix it.', false],
  ['median sorts numbers as text, so median([10, 9]) is wrong and its test fails. Fix it.', false],
  ['Let ms parse months: "1 month", "2 months" and "1mo".', false],
  ['', false],
])('"%s" may ask for more than one part: %s', (request, isMore) => {
  expect(mayAskForMore(request, 1)).toBe(isMore);
});

it('a request asks for no more than its parts if there are enough of them', () => {
  const request = 'Fix the option trim, and raise the default width to 72.';
  expect([1, 2].map((count) => mayAskForMore(request, count))).toEqual([true, false]);
  expect(mayAskForMore('Fix the option trim, and list the options in the README.', 2)).toBe(true);
});
