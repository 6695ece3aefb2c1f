import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSharedWord } from './shared-words.js';

describe('findSharedWord', () => {
  it.each([
    ['parse keeps the fraction of a value', 'parses fractions of a unit', 'parse'],
    ['one week is seven days', 'test/ms.test.js: parses weeks', 'week'],
    ['an hour has 3600 seconds', 'tests/test_durations.py::test_hours', 'hour'],
    ['Change the greeting from "Hello, NAME!"', "assert.equal(greet('Ada'), 'Hello, Ada!');", 'greeting'],
    ['remove the old greeting', 'test/old.test.mjs: greets', 'greeting'],
    ['Sums are rounded', 'rounds up', 'rounded'],
    ['total(lines) returns 90 % of the sum', 'assert.equal(total([line]), 10)', 'total'],
    ['remove toSeconds', 'to_seconds gives the same', 'seconds'],
    ['Rename src/price-table.mjs', 'test/price-table.test.mjs', 'price'],
  ])('finds a word of %j in %j', (text, other, word) => {
    expect(findSharedWord(text, other)).toBe(word);
  });

  it.each([
    ['Add a percentage discount', 'sorts users by name'],
    ['Fix the failing test', 'test/fix.test.mjs: fails the test'],
    ['Make it run', 'runs it'],
    ['car', 'carpet'],
    ['Rename a.mjs', 'test/b.test.mjs'],
    ['Both sums must be equal', 'assert.strictEqual(a, b)'],
    ['', 'anything'],
    ['. ,', '. ,'],
  ])('finds nothing that connects %j and %j', (text, other) => {
    expect(findSharedWord(text, other)).toBeNull();
  });

  it('finds a word of any text in the same text, or none at all', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, other) => {
        const word = findSharedWord(text, other);
        expect(word === null || text.toLowerCase().includes(word)).toBe(true);
      }),
    );
  });
});
