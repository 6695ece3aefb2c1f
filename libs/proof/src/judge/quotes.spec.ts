import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChangedTest } from './proof-facts.js';
import { isContradicted } from './quotes.js';

const test: ChangedTest = {
  file: 'test/test.test.js',
  name: 'is right',
  change: 'changed',
  text: "assert.equal(list.get('a').length, 50);\nassert.equal(list.get('b').length, 7);",
  quote: null,
};
const isAccepted = (quote: string, more: Partial<ChangedTest> = {}, request = `Please: ${quote}, and so on.`) =>
  isContradicted(request, { ...test, quote, ...more });

describe('a quote whose words are all common contradicts a test', () => {
  it('if it has the whole path of the test', () => {
    expect(isAccepted('together with its tests in test/test.test.js')).toBe(true);
    expect(isAccepted('together with its tests in ./test/test.test.js')).toBe(true);
    expect(isAccepted('together with its tests in test.test.js')).toBe(false);
    expect(isAccepted('together with its tests in old/test/test.test.js')).toBe(false);
    expect(isAccepted('together with its tests in test/test.test.js', { file: '' })).toBe(false);
  });

  it('if it writes a name as code that stands in the test', () => {
    expect(isAccepted('remove the method `get`')).toBe(true);
    expect(isAccepted('remove the method get()')).toBe(true);
    expect(isAccepted('remove the method `set`')).toBe(false);
    expect(isAccepted('remove the method get')).toBe(false);
    expect(isAccepted('remove the function `test`', { text: "test('is right', () => {" })).toBe(false);
    expect(isAccepted('change the call, i.e. this one', { text: 'catch (e)' })).toBe(false);
  });

  it('if it has a number of two digits or more that stands in the test', () => {
    expect(isAccepted('from 50 to 72')).toBe(true);
    expect(isAccepted('from 72 to 50')).toBe(true);
    expect(isAccepted('from 5 to 7')).toBe(false);
    expect(isAccepted('from 500 to 72')).toBe(false);
    expect(isAccepted('from 50.5 to 72')).toBe(false);
    expect(isAccepted('from x50 to 72')).toBe(false);
    expect(isAccepted('from 1.5 to 2.5', { text: 'assert.equal(rate, 1.5);' })).toBe(true);
  });
});

it('a quote that does not stand in the request contradicts nothing, whatever it names', () => {
  expect(isAccepted('from 50 to 72', {}, 'Raise it from 50 to 720.')).toBe(false);
  const words = fc.array(fc.constantFrom('from', '50', 'to', '`get`', 'test/test.test.js', 'the'), { minLength: 1 });
  fc.assert(
    fc.property(words, words, (quoted, asked) => {
      const [quote, request] = [quoted.join(' '), asked.join(' ')];
      if (isAccepted(quote, {}, request)) expect(` ${request} `).toContain(` ${quote} `);
    }),
  );
});
