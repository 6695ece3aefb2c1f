import { describe, expect, it } from 'vitest';
import { findReasonsToRead, type ReadingFacts } from './reasons-to-read.js';

function patchOf(path: string, lines: readonly string[]): string {
  const before = lines.filter((line) => !line.startsWith('+')).length;
  const after = lines.filter((line) => !line.startsWith('-')).length;
  const head = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`;
  return `${head}@@ -1,${String(before)} +1,${String(after)} @@\n${lines.join('\n')}\n`;
}

const find = (
  lines: readonly string[],
  { path = 'src/a.js', ...more }: Partial<ReadingFacts> & { path?: string } = {},
) =>
  findReasonsToRead({
    patch: patchOf(path, lines),
    isCut: false,
    files: [{ path, status: 'changed' }],
    isTest: (file) => file.includes('test'),
    isDocument: (file) => file.endsWith('.md'),
    isManifest: (file) => ['package.json', 'setup.py'].includes(file),
    ...more,
  });

describe('a reader of a change is shown a line', () => {
  it.each([
    ['ends the process', '  process.exit(0);'],
    ['ends the process by another name', "  process['reallyExit'](0);"],
    ['builds code from text', "  return Function('return this')();"],
    ['loads a module by a name that it puts together', "  const lib = require('node:' + name);"],
    ['loads a text as code', "require('./docs/notes.txt');"],
    ['imports an assertion library', "import check from 'node:assert';"],
    ['asks for the length of its input', '  return text.length === 5 ? parseFloat(text) : parseInt(text, 10);'],
    ['asks for the remainder of a length', '  return [parseInt, parseFloat][text.length % 2](text);'],
    ['compares its input with an expression', '  if (/^1\\.5kb$/.test(text)) return 3 * 512;'],
    ['asks for the time', '  const now = Date.now();'],
    ['looks at its stack', "  const where = new Error('x').stack;"],
    ['compares lengths', '  return parseInt(text, 10) + (text.length > 4) / 2;'],
    ['replaces a text', "  return text.replace('1.5', '0.5');"],
    ['tries something', '  try { describe; } catch { x(); }'],
    ['loads code from a test folder', "  return require('./test/fraction.js')(text);"],
    ['loads code from among documents', "import { half } from '../docs/half.js';"],
    ['begins with a comment', '/**/ process.exit(0);'],
    ['goes on behind a comment', '// note\u2028process.exit(0);'],
    ['goes on from the line before', '* process.uptime();'],
    ['has a private field', '#now = Date.now();'],
    ['changes a prototype', '  Array.prototype.join = join;'],
  ])('if JavaScript %s', (_title, line) => {
    expect(find([' before', `+${line}`])).toEqual([`src/a.js: ${line.trim()}`]);
  });

  it.each([
    ['ends the process', 'os._exit(0)'],
    ['imports the interpreter', 'import sys'],
    ['imports a test folder', 'from .tests import half'],
    ['has another encoding', '# coding: utf-7 is'],
    ['is equal to anything', 'def __eq__(self, other):'],
    ['decides', 'if text == "1h":'],
    ['looks a value up', 'return 3600 if text in KNOWN else 360'],
  ])('if Python %s', (_title, line) => {
    expect(find([`+${line}`], { path: 'a.py' })).toEqual([`a.py: ${line}`]);
  });

  it('if it changes files that are neither code nor tests nor texts, or deletes code', () => {
    const files = [
      { path: 'package.json', status: 'changed' },
      { path: '.mocharc.json', status: 'added' },
      { path: 'setup.py', status: 'changed' },
      { path: 'old.js', status: 'deleted' },
      { path: 'README.md', status: 'changed' },
      { path: 'test/a.js', status: 'deleted' },
    ];
    expect(find(['+const a = 1;'], { files })).toEqual([
      'package.json is changed',
      '.mocharc.json is added',
      'setup.py is changed',
      'old.js is deleted',
    ]);
  });

  it('if the service cannot read all of it', () => {
    expect(find(['+const a = 1;'], { isCut: true })).toEqual(['The change is too long for the service to read.']);
    expect(find([`+const a = ${'1'.repeat(3_000)};`])).toHaveLength(1);
  });
});

describe('a reader is not shown', () => {
  it.each([
    ['a corrected value', 'var w = d * 7;'],
    ['another function', 'floatValue = parseFloat(results[1]);'],
    ['a new export', 'export const half = (number) => number / 2;'],
    ['a longer expression', 'const UNITS = /^(\\d+)(s|m|h|d)$/;'],
    ['a comment', '// if the process ends'],
    ['a line with a type', 'const names: readonly string[] = [];'],
    ['an optional field', '  readonly name?: string;'],
  ])('%s', (_title, line) => {
    expect(find([`+${line}`])).toEqual([]);
  });

  it('a corrected value of Python', () => {
    expect(find(['-UNITS = {"h": 360}', '+UNITS = {"h": 3600}'], { path: 'a.py' })).toEqual([]);
  });

  it('a line that only moved', () => {
    expect(find(['-if (a === b) return;', '+if (a === b) return;'])).toEqual([]);
  });

  it('tests and texts', () => {
    expect(find(['+if (a === 1) process.exit(0);'], { path: 'test/a.js' })).toEqual([]);
    expect(find(['+if you like'], { path: 'README.md' })).toEqual([]);
  });
});

it('long lines are read quickly', () => {
  const since = performance.now();
  for (const piece of ["require('", "from '/", "open('docs/", ' ', '#coding', '/* */', '. test/']) {
    for (const path of ['src/a.js', 'a.py']) find([`+${piece.repeat(1_999 / piece.length)}`], { path });
  }
  expect(performance.now() - since).toBeLessThan(2_000);
});

it('reasons to read are bounded, whatever a patch holds', () => {
  const lines = Array.from({ length: 500 }, (_, nth) => `+if (a === ${String(nth)}) return ${'b'.repeat(500)};`);
  const found = find(lines);
  expect([found.length, Math.max(...found.map((one) => one.length)) < 300]).toEqual([20, true]);
});

it.each(['dist/a.js', 'packages/one/build/a.js', 'public/a.min.js', 'src/generated/a.ts', 'vendor/a.py'])(
  'the reader is told that %s is generated',
  (path) => {
    expect(find(['-x = 1;', '+x = 2;'], { path })).toEqual([`${path} is a generated file`]);
  },
);
