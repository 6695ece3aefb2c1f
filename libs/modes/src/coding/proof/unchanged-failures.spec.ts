import { describe, expect, it } from 'vitest';
import { failingTests } from '../../shared/failing-tests.js';
import { verifiedAs } from '../coding.fixture.js';
import { findUnchanged } from './unchanged-failures.js';

const run = (output: string) => verifiedAs('failed', { passed: 1, failed: 1 }, output);

const BEFORE = `not ok 1 - reads bytes
  ---
  duration_ms: 1.25
  error: |-
    Expected values to be strictly equal:
    1 !== 2
  code: 'ERR_ASSERTION'
  expected: 2
  actual: 1
  ...
ok 2 - adds
# fail 1`;

const namesOf = (before: string, now: string): string[] =>
  findUnchanged(failingTests(run(now)), run(before)).map(({ name }) => name);

describe('failures that the change did not touch', () => {
  it('are those that print the same errors, whatever else ran and however long it took', () => {
    const now = BEFORE.replace('not ok 1', 'not ok 3')
      .replace('1.25', '3.5')
      .replace('# fail 1', 'ok 4 - new\n# fail 1');
    expect(namesOf(BEFORE, now)).toEqual(['reads bytes']);
  });

  it('are not those that print another value than before', () => {
    expect(namesOf(BEFORE, BEFORE.replace('actual: 1', 'actual: 7'))).toEqual([]);
  });

  it('are not those of which another test of the same name prints something else', () => {
    const both = (one: string, other: string) => {
      const [first, second] = [run(one), run(other)];
      return { ...first, commands: [...first.commands, ...second.commands] };
    };
    const other = BEFORE.replaceAll('1', '5');
    const unchanged = (now: ReturnType<typeof run>) =>
      findUnchanged(failingTests(now), both(BEFORE, other)).map(({ name }) => name);
    expect(unchanged(both(BEFORE.replace('actual: 1', 'actual: 7'), other))).toEqual([]);
    expect(unchanged(both(BEFORE, other))).toEqual(['reads bytes', 'reads bytes']);
  });

  it('are not those that passed before, or of which no baseline is known', () => {
    const other = BEFORE.replaceAll('reads bytes', 'reads words');
    expect(namesOf(other, BEFORE)).toEqual([]);
    expect(findUnchanged(failingTests(run(BEFORE)), null)).toEqual([]);
  });
});
