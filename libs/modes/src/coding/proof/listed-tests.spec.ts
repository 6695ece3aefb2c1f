import { describe, expect, it } from 'vitest';
import { UNTOUCHED } from '../coding.fixture.js';
import { type ListedTest, quoteFor, removedTests, withFailingTests } from './listed-tests.js';

const PATH = 'test/price.test.mjs';
const PATCH = [
  `diff --git a/${PATH} b/${PATH}`,
  `--- a/${PATH}`,
  `+++ b/${PATH}`,
  '@@ -1,6 +1,1 @@',
  "-test('rounds up', () => {",
  '-  assert.equal(round(1.2), 2);',
  '-});',
  "-test('has a currency', () => {",
  "-  assert.equal(show(1), '1 EUR');",
  '-});',
  "+test('other', () => {});",
  '',
].join('\n');
const tests = ['rounds up', 'has a currency'].map((name) => ({ file: PATH, name }));

describe('removedTests', () => {
  it('lists each test with its own removed lines', () => {
    const listed = removedTests({ ...UNTOUCHED, removedTests: tests }, PATCH);
    expect(listed.map(({ words, change }) => [words, change])).toEqual([
      [`${PATH}: rounds up`, 'removed'],
      [`${PATH}: has a currency`, 'removed'],
    ]);
    expect(listed[0]?.text).toContain('round(1.2)');
    expect(listed[0]?.text).not.toContain('EUR');
    expect(listed[1]?.text).toContain('1 EUR');
  });

  it('lists a removed file with all of its lines, and a skipped test with its line', () => {
    const skippedTests = [{ file: PATH, line: "test.skip('adds')" }];
    const [file, skipped] = removedTests({ ...UNTOUCHED, removedFiles: [PATH], skippedTests }, PATCH);
    expect(file).toMatchObject({ words: PATH, name: null, text: expect.stringMatching(/round[^]*EUR/) as string });
    expect(skipped).toMatchObject({
      words: `${PATH}: test.skip('adds')`,
      change: 'skipped',
      text: "test.skip('adds')",
    });
  });
});

it('lists tests of the base that fail on the result once, with what they printed', () => {
  const listed = removedTests({ ...UNTOUCHED, removedTests: tests }, PATCH);
  const output = "not ok 1 - rounds up\nnot ok 2 - greets\n  'Hello' !== 'Hi'\n";
  const all = withFailingTests(listed, ['rounds up', 'greets'], { output, patch: '' });
  expect(all.map(({ words }) => words)).toEqual([...listed.map(({ words }) => words), 'greets']);
  expect(all.at(-1)).toMatchObject({ change: 'changed', name: null });
  expect(all.at(-1)?.text).toContain('Hello');
});

it('reads the quote for a test, also if the inspector shortened its name', () => {
  const test: ListedTest = { words: `${PATH}: rounds up`, file: PATH, name: 'rounds up', change: 'removed', text: '' };
  const inspection = (...names: readonly string[]) => ({
    ...{ commit: 'c', parts: [], findings: [] },
    tests: names.map((name) => ({ test: name, quote: `quote of ${name}`, why: '' })),
  });
  expect(quoteFor(test, inspection(test.words, 'rounds up'))).toBe(`quote of ${test.words}`);
  expect(quoteFor(test, inspection('rounds up'))).toBe('quote of rounds up');
  expect(quoteFor(test, inspection('rounds up', 'rounds'))).toBeNull();
  expect(quoteFor(test, null)).toBeNull();
});
