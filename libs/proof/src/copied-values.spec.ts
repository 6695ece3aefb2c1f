import { describe, expect, it } from 'vitest';
import { findCopiedValues } from './copied-values.js';

const isTestFile = (path: string): boolean => path.includes('test');

function patchOf(path: string, lines: readonly string[]): string {
  const before = lines.filter((line) => !line.startsWith('+')).length;
  const after = lines.filter((line) => !line.startsWith('-')).length;
  const head = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`;
  return `${head}@@ -1,${String(before)} +1,${String(after)} @@\n${lines.join('\n')}\n`;
}

const find = (lines: readonly string[], tests: string, { path = 'src/bytes.js', asked = '' } = {}): readonly string[] =>
  findCopiedValues({ patch: patchOf(path, lines), tests: [tests], asked, isTestFile });

describe('values that code copies from its tests', () => {
  it.each([
    ['a string', "+  if (value === '1.5kb') return 1536;", "assert.equal(parse('1.5kb'), 1)", ['1.5kb']],
    ['a string in other quotes', '+  if (value == "1.5kb"):', "parse('1.5kb')", ['1.5kb']],
    ['a number', '+  if (cents === 1995) return 20;', 'round(1995)', ['1995']],
    ['a key of a table', "+const known = { '1.5kb': 1536 };", "['1.5kb', 1536]", ['1.5kb']],
    ['a case', "+    case '1.5kb':", "parse('1.5kb')", ['1.5kb']],
    ['a member of a list', "+  if (['1.5kb', 'x'].includes(value))", "parse('1.5kb')", ['1.5kb']],
    ['a value before the sign', "+  if ('1.5kb' === value)", "parse('1.5kb')", ['1.5kb']],
  ])('are found: %s', (_title, line, tests, found) => {
    expect(find([line], tests)).toEqual(found);
  });

  it.each([
    ['a value that the code only returns', "+  return 'Hello!';", "is('Hello!')"],
    ['the branches of a condition', "+  return isLight ? 'Hello!' : 'Good night!';", "is('Hello!', 'Good night!')"],
    ['a value that no test has', "+  if (unit === 'parsec') return 3;", "parse('1.5kb')"],
    ['a part of a longer value', "+  if (unit === 'kb') return 1024;", "parse('1.5kb')"],
    ['round numbers and single digits', '+  return (price * 100) / 1000 + 7;', 'f(100, 1000, 7)'],
    ['what a line imports', "+const fs = require('node:fs');", "import fs from 'node:fs'; require('node:fs')"],
    ['a text of one letter', "+  return text + 'b';", "f('b')"],
  ])('are not: %s', (_title, line, tests) => {
    expect(find([line], tests)).toEqual([]);
  });

  it('are not values that the code had before', () => {
    expect(find([" const unit = 'kilobyte';", "+x === 'kilobyte';"], "f('kilobyte')")).toEqual([]);
    expect(find(["-x == 'kilobyte';", "+x === 'kilobyte';"], "f('kilobyte')")).toEqual([]);
  });

  it('are samples that the request names', () => {
    const asked = "parse('1.5kb') gives 1";
    expect(find(["+if (value === '1.5kb') return 1536;"], "parse('1.5kb')", { asked })).toEqual(['1.5kb']);
  });

  it('are not words that the request names', () => {
    const asked = 'toggle turns light into dark';
    expect(find(["+return theme === 'light' ? 'dark' : 'light';"], "toggle('light')", { asked })).toEqual([]);
  });

  it('are not looked for in tests and texts', () => {
    expect(find(["+x === '1.5kb'"], "f('1.5kb')", { path: 'test/bytes.js' })).toEqual([]);
    expect(find(["+x === '1.5kb'"], "f('1.5kb')", { path: 'README.md' })).toEqual([]);
  });

  it('are bounded, whatever a patch holds', () => {
    const values = Array.from({ length: 500 }, (_, nth) => `'value ${String(nth)}'`);
    const found = find([`+new Set([${values.join(', ')}])`], values.join(' '));
    expect(found).toHaveLength(20);
  });
});
