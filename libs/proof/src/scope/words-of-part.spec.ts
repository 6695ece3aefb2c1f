import { expect, it } from 'vitest';
import { asksForRegressionTest, isTextInCode, kindByTitle, saysThatSomethingStays, speaksOf } from './words-of-part.js';

const part = (title: string, seen = '') => ({ title, interface: seen });

it.each([
  ['The README says that a star makes the result a star', 'document'],
  ['CHANGELOG.md has a line for the fix', 'document'],
  ['The fix is documented', 'document'],
  ['A regression test covers trailing tabs', 'tests'],
  ['test/wrap.test.js tests tabs', 'tests'],
  ['The README says how to run the tests', 'document'],
  ['A test covers the parser of docs', 'tests'],
  ['A star makes the result a star', null],
  ['The latest entry is protested', null],
])('"%s" is about: %s', (title, kind) => {
  expect(kindByTitle(title)).toBe(kind);
});

it('a part may name its document or its tests as its interface', () => {
  expect(speaksOf('document', part('All units are listed', 'docs/units.md'))).toBe(true);
  expect(speaksOf('document', part('All units are listed', 'npm run units'))).toBe(false);
  expect(speaksOf('tests', part('Tabs are covered', 'test/wrap.test.js'))).toBe(true);
  expect(speaksOf('tests', part('Tabs are trimmed', 'wrap(text)'))).toBe(false);
});

it('comments and help stand in code', () => {
  expect(isTextInCode(part('A comment explains the divisor'))).toBe(true);
  expect(isTextInCode(part('The README explains the divisor'))).toBe(false);
});

it('only a regression test has to fail without the fix', () => {
  expect(asksForRegressionTest(part('A regression test covers trailing tabs'))).toBe(true);
  expect(asksForRegressionTest(part('Tests cover negative numbers'))).toBe(false);
});

it.each([
  ['All other behaviour stays as it is', true],
  ['Nothing else changes', true],
  ['No other option changes', true],
  ['The default width remains 50', true],
  ['Plain text is left unchanged', true],
  ['The default width is 72', false],
  ['Tabs at the end of a line are trimmed', false],
])('"%s" says that something stays: %s', (title, stays) => {
  expect(saysThatSomethingStays(part(title))).toBe(stays);
});
