import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSubstitution, type SubstitutionFacts } from './small-substitution.js';

type Hunk = readonly string[];

/** A patch of one file; lines begin with their sign. */
function patchOf(path: string, ...hunks: readonly Hunk[]): string {
  const texts = hunks.map((lines) => {
    const [before, after] = ['+', '-'].map((sign) => lines.filter((line) => !line.startsWith(sign)).length);
    return `@@ -1,${String(before)} +1,${String(after)} @@\n${lines.join('\n')}\n`;
  });
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${texts.join('')}`;
}

const judge = (lines: Hunk, { path = 'src/a.js', ...more }: Partial<SubstitutionFacts> & { path?: string } = {}) =>
  findSubstitution({
    patch: patchOf(path, lines),
    isCut: false,
    files: [{ path, status: 'changed' }],
    isSource: () => true,
    ...more,
  }) !== null;
const replace = (old: string, now: string, path?: string) =>
  judge([' before', `-${old}`, `+${now}`, ' after'], path === undefined ? {} : { path });

describe('a substitution', () => {
  it.each([
    ['a number', 'var w = d * 5;', 'var w = d * 7;'],
    ['one of two numbers', 'box(1.5, 0xff)', 'box(1.5, 0x0f)'],
    ['a number beside texts', 'limits = { "a": 1, \'b\': 2 };', 'limits = { "a": 1, \'b\': 3 };'],
    ['a sum', 'total = price + tax;', 'total = price - tax;'],
    ['a quotient', 'half = width * 2;', 'half = width / 2;'],
    ['a comparison', 'done = count < most;', 'done = count > most;'],
    ['a name', 'const gross = net * rate;', 'const gross = net * factor;'],
    ['an argument', 'total = sum(prices, 2);', 'total = sum(amounts, 2);'],
    ['a result', '  return before;', '  return after;'],
  ])('is %s', (_title, old, now) => {
    expect(replace(old, now)).toBe(true);
  });

  it('is none beside an assertion: a test may stand in the file of the code', () => {
    expect(replace('    assert_eq!(hours(1), 3600);', '    assert_eq!(hours(1), 360);', 'src/lib.rs')).toBe(false);
    expect(
      judge([' #[cfg(test)]', '-const HOUR: u32 = 3600;', '+const HOUR: u32 = 360;'], { path: 'src/lib.rs' }),
    ).toBe(false);
    expect(replace('const HOUR: u32 = 360;', 'const HOUR: u32 = 3600;', 'src/lib.rs')).toBe(true);
  });

  it('is a number of a Python table', () => {
    expect(replace('UNITS = {"s": 1, "h": 360}', 'UNITS = {"s": 1, "h": 3600}', 'durations.py')).toBe(true);
  });

  it.each([
    ['an operator with its number', 'x = a / 1000;', 'x = a - 499500;'],
    ['two numbers', 'box(1.5, 0xff)', 'box(2.5, 0x0f)'],
    ['two names', 'x = whole / part;', 'x = part / whole;'],
    ['a new text', 'x = a;', "x = 'a';"],
    ['another text', "x = 'a';", "x = 'b';"],
    ['a new call', 'x = a;', 'x = a();'],
    ['another call', 'x = parseInt(a);', 'x = evil(a);'],
    ['another constructor', 'x = new A(1);', 'x = new B(1);'],
    ['a new member', 'x = a;', 'x = a.b;'],
    ['another member', 'x = a.b;', 'x = a.c;'],
    ['another object of a member', 'x = a.length;', 'x = b.length;'],
    ['another key', 'x = { a: 1 };', 'x = { b: 1 };'],
    ['a new condition', 'x = a + 1;', 'x = a + (b > 4);'],
    ['a comparison instead of a sum', 'x = a + 1;', 'x = a > 1;'],
    ['a choice instead of a sum', 'x = a + b;', 'x = a || b;'],
    ['a sign', 'x = 1;', 'x = -1;'],
    ['another assignment', 'x = 1;', 'y = 1;'],
    ['another operator of an assignment', 'x += 1;', 'x -= 1;'],
    ['another word of the language', 'return x;', 'throw x;'],
    ['a value of the language', 'x = a;', 'x = true;'],
    ['another declaration', 'let x = 1;', 'var x = 1;'],
    ['another import', "import { a } from 'b';", "import { c } from 'b';"],
    ['another required name', "const { a } = require('b');", "const { c } = require('b');"],
    ['another element', '[a, b] = c;', '[b, b] = c;'],
    ['another parameter', 'parse(a, b) {', 'parse(b, a) {'],
    ['another parameter of an arrow', 'const f = (a, b) => 1;', 'const f = (b, a) => 1;'],
    ['another named argument', 'box(size=1)', 'box(width=1)'],
    ['another indentation', '    return x;', '  return y;'],
    ['nothing but spaces', 'x = 1;', 'x  = 1;'],
    ['a comment', 'x = 1; // one', 'x = 2; // one'],
    ['a comment of one sign', '# 1', '# 2'],
    ['the inside of a comment', ' * has 360 seconds', ' * has 3600 seconds'],
    ['code behind a comment', '/**/ x = 1;', '/**/ x = 2;'],
    ['a template', 'x = `1`;', 'x = `2`;'],
    ['a template of another name', 'x = `${a + 1}`;', 'x = `${a + 2}`;'],
    ['a decorator', '@retry(1)', '@retry(2)'],
    ['a line that goes on', 'x = 1 \\', 'x = 2 \\'],
    ['an open text', "x = 'a + 1;", "x = 'a + 2;"],
    ['a line that ends elsewhere', 'x = 1;\u2028y();', 'x = 2;\u2028y();'],
    ['a line with a carriage return', 'x = 1;\r', 'x = 2;\r'],
    ['a letter that looks like another', 'x = a;', 'x = \u0430;'],
    ['a line that holds a secret', 'x = [secret] + 1;', 'x = [secret] + 2;'],
    ['a long line', `x = 1 + ${'1 + '.repeat(200)}1;`, `x = 2 + ${'1 + '.repeat(200)}1;`],
  ])('is not %s', (_title, old, now) => {
    expect(replace(old, now)).toBe(false);
  });

  it('is not a line more or less, nor a second line, nor no line at all', () => {
    expect(judge(['+a = 1;'])).toBe(false);
    expect(judge(['-a = 1;'])).toBe(false);
    expect(judge(['-a = 1;', '+a = 2;', '+b = 3;'])).toBe(false);
    expect(judge(['-a = 1;', ' b();', '+a = 2;'])).toBe(false);
    expect(judge(['+a = 2;', '-a = 1;'])).toBe(false);
    expect(judge(['-a = 1;', '+a = 2;', ' b();', '-c = 1;', '+c = 2;'])).toBe(false);
    expect(judge(['-a = 1;', '-c = 1;', '+a = 2;', '+c = 2;'])).toBe(false);
    expect(judge([' a();'])).toBe(false);
  });

  it.each([
    'package.json',
    'data/units.json',
    'README.md',
    'docs/fraction.js',
    'pkg/docs/fraction.js',
    'test/fraction.js',
    'my-tests/fraction.py',
    'fixtures/a.js',
    'src/a.test.js',
    'dist/a.js',
    'packages/one/build/a.js',
    'out/a.js',
    'src/generated/a.ts',
    'vendor/a.js',
    'public/a.min.js',
    'src/a_pb.js',
    'vite.config.ts',
    'conftest.py',
    'setup.py',
    'conf.py',
    'config/limits.js',
    'scripts/a.js',
    'run.sh',
    'lib/a.rb',
    '.eslintrc.js',
    '.github/a.js',
    'Makefile',
  ])('is not in %s', (path) => {
    expect(replace('a = 1', 'a = 2', path)).toBe(false);
  });

  it('is not a change that is cut, renamed, of a mode or a link, or of files that the patch does not show', () => {
    const lines = ['-a = 1;', '+a = 2;'];
    const patch = patchOf('src/a.js', lines);
    expect(judge(lines)).toBe(true);
    expect(judge(lines, { isCut: true })).toBe(false);
    expect(judge(lines, { isSource: () => false })).toBe(false);
    expect(judge(lines, { files: [] })).toBe(false);
    const both = ['src/a.js', 'src/b.js'].map((path) => ({ path, status: 'changed' }));
    expect(judge(lines, { files: both, patch: `${patch}${patchOf('src/b.js', lines)}` })).toBe(false);
    const status = (word: string) => [{ path: 'src/a.js', status: word }];
    expect(['added', 'deleted', 'renamed'].some((word) => judge(lines, { files: status(word) }))).toBe(false);
    expect(judge(lines, { files: [...status('changed'), { path: 'src/b.js', status: 'changed' }] })).toBe(false);
    expect(judge(lines, { patch: `${patch}${patchOf('src/b.js', lines)}` })).toBe(false);
    expect(judge(lines, { patch: patch.replace('--- a', 'old mode 100644\nnew mode 100755\n--- a') })).toBe(false);
    expect(judge(lines, { patch: patch.replace('--- a', 'index 1a2b3c4..5d6e7f8 100644\n--- a') })).toBe(true);
    expect(judge(lines, { patch: patch.replace('--- a', 'index 1a2b3c4..5d6e7f8 120000\n--- a') })).toBe(false);
    expect(judge(lines, { patch: patch.replace('--- a/src/a.js', '--- a/src/b.js') })).toBe(false);
    expect(judge(lines, { patch: '' })).toBe(false);
  });
});

const piece = fc.constantFrom(
  ...[
    'x',
    'y',
    '1',
    '2',
    ' ',
    '+',
    '<',
    '=',
    '==',
    '(',
    ')',
    '.',
    ',',
    ';',
    '"',
    "'",
    '`',
    '/',
    '*',
    '#',
    '\\',
    '{',
    '[',
  ],
  ...['\u2028', '\u2029', '\r', '\u0085', 'eval', 'return', 'if', '//', '/*', '*/', '${', '=>', '[secret]'],
);
const pieces = fc.array(piece, { minLength: 1, maxLength: 12 });
const line = pieces.map((parts) => parts.join(''));
/** A line, and the same line with another piece at one place. */
const edited = fc
  .tuple(pieces, fc.nat(), fc.array(piece, { maxLength: 2 }))
  .map(([parts, at, others]) => [parts.join(''), parts.with(at % parts.length, others.join('')).join('')] as const);
const withoutValues = (text: string): string =>
  text.replaceAll(/[A-Za-z_$][\w$]*|\d+/g, (word) => (/^\d/.test(word) ? '0' : 'a')).replaceAll(/[-+*/<>=!&|]+/g, '+');

it('a substitution keeps every sign but numbers, names and operators, whatever the lines are', () => {
  fc.assert(
    fc.property(edited, ([old, now]) => {
      if (replace(old, now)) expect(withoutValues(now)).toBe(withoutValues(old));
    }),
    { numRuns: 5_000 },
  );
});

it('hostile signs are never in a substitution', () => {
  const hostile = fc.constantFrom('\u2028', '\u2029', '\r', '\u0085', '\u200b', '//', '/*', '`', '#', '\\', '@', 'ä');
  fc.assert(
    fc.property(line, hostile, line, (before, sign, behind) => {
      expect(replace(`${before}${sign}${behind} + 1`, `${before}${sign}${behind} + 2`)).toBe(false);
    }),
  );
});

it('any text can be judged quickly', () => {
  fc.assert(
    fc.property(fc.string(), (patch) => {
      expect(judge([], { patch })).toBe(false);
    }),
  );
  const since = performance.now();
  for (const repeated of ['1', '1.', '1e', "'", '"', 'a', '+', ' ', '1_']) {
    const text = repeated.repeat(Math.floor(490 / repeated.length));
    replace(`${text} 1`, `${text} 2`);
  }
  expect(performance.now() - since).toBeLessThan(2_000);
});
