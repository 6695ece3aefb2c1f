import { expect, it } from 'vitest';
import { bad, note, ok } from './check.js';
import { onePerName } from './one-per-name.js';

it('what is in order by several accounts is one line, and whatever is not stays one of its own', () => {
  const missing = note('git', 'is not on the PATH', 'apt-get install git');
  const away = bad('worker', 'does not answer', null);
  expect(onePerName([ok('git', 'answers'), away, ok('git', '2.43'), ok('worker', 'here'), missing])).toEqual([
    ok('git', 'answers; 2.43'),
    away,
    ok('worker', 'here'),
    missing,
  ]);
});
