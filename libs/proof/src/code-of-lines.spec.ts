import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeOfLines } from './code-of-lines.js';

const codeOf = (path: string, ...lines: readonly string[]): readonly string[] =>
  codeOfLines(path, lines).flatMap((pieces) => pieces.filter((piece) => piece.trim() !== ''));

describe('the code of lines leaves out', () => {
  it.each([
    ['a comment of JavaScript', 'a.js', ['  // x();']],
    ['a block of one line', 'a.ts', ['/* x(); */']],
    ['two blocks', 'a.ts', ['/* x(); */ /* y(); */ // z();']],
    ['a block of several lines', 'a.ts', ['/**', ' * x();', ' */']],
    ['the middle of a block', 'a.ts', [' * x();', ' * y();']],
    ['a comment of Python', 'a.py', ['# x()']],
    ['an encoding that every reader sees', 'a.py', ['# -*- coding: utf-8 -*-']],
    ['a comment of Ruby', 'a.rb', ['# x']],
    ['both comments of PHP', 'a.php', ['// x', '# y']],
  ])('%s', (_title, path, lines) => {
    expect(codeOf(path, ...lines)).toEqual([]);
  });
});

describe('the code of lines keeps', () => {
  it.each([
    ['code behind a block', 'a.js', ['/**/ x();'], ['x();']],
    ['code behind several blocks', 'a.js', ['/* a */ /* b */ x();'], ['x();']],
    ['code behind the end of a block', 'a.js', ['/*', '* a */ x();'], ['x();']],
    ['code after the middle of a block', 'a.js', [' * a', ' */', 'x();'], ['x();']],
    ['a product that goes on', 'a.js', ['y = 1', '* x();'], ['y = 1', '* x();']],
    ['a private field', 'a.js', ['#p = x();'], ['#p = x();']],
    ['a line of a block without its sign', 'a.js', ['/*', 'x();', '*/'], ['x();']],
    [
      'code behind another end of line',
      'a.js',
      ['// a\u2028x();', '// b\rx();', '// c\u2029x();'],
      Array(3).fill('x();'),
    ],
    ['a long text that looks like a comment', 'a.js', ['y = `', '// `; x();'], ['y = `', '// `; x();']],
    ['a long text of Python', 'a.py', ['y = """', '# """; x()'], ['y = """', '# """; x()']],
    ['a quotient of Python', 'a.py', ['// x()'], ['// x()']],
    ['an encoding that a reader does not see', 'a.py', ['# coding: utf_7'], ['# coding: utf_7']],
    ['an attribute', 'a.rs', ['#[cfg(test)]'], ['#[cfg(test)]']],
    ['a preprocessor', 'a.c', ['#define x y'], ['#define x y']],
    ['any line of another file', 'package.json', ['# x', '// y'], ['# x', '// y']],
  ] as [string, string, string[], string[]][])('%s', (_title, path, lines, expected) => {
    expect(codeOf(path, ...lines)).toEqual(expected);
  });

  it('every line that has no sign of a comment, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('/*', '*/', '* a', '// a', '# a', '`', "'''", 'y();', '')), (lines) => {
        const found = codeOfLines('a.js', [...lines, 'x();', ...lines]);
        expect([found.length, found[lines.length]]).toEqual([2 * lines.length + 1, ['x();']]);
      }),
    );
  });
});
