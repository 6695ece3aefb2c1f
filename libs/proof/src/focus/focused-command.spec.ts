import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { focusedCommand } from './focused-command.js';

const focus = (command: string, failures: readonly string[], scripts: Readonly<Record<string, string>> = {}) =>
  focusedCommand(command, { scripts, failures });

const NODE = ['test/a.test.mjs: fails', 'test/a.test.mjs: also fails', 'test/b.test.mjs'];
const VITEST = ['a.test.mjs > group > fails', '|unit| b.test.mjs > other', 'c.test.mjs [ c.test.mjs ]'];
const JEST = ['./a.test.js: group › fails', './a.test.js: Test suite failed to run'];
const MOCHA = ['m > within > fails', 'alone (now)'];
const PYTEST = ['tests/test_a.py::test_bad', 'tests/test_b.py', 'tests/test_c.py::T::test_x[a b]'];
const UNITTEST = ['test_bad (test_x.T.test_bad)', 'test_old (test_y.T)'];
const GO = ['example.test/sum/b: TestBad', 'example.test/sum/b: TestBad/sub', 'example.test/sum/c: TestOther'];

describe('focusedCommand', () => {
  it.each<[string, string, readonly string[], string, Record<string, string>?]>([
    ['node:test', 'node --test', NODE, 'node --test test/a.test.mjs test/b.test.mjs'],
    ['node:test in a folder', 'node --test test/', NODE, 'node --test test/a.test.mjs test/b.test.mjs'],
    [
      'node:test with a glob',
      "node --import tsx --test 'test/**/*.mjs'",
      NODE,
      'node --import tsx --test test/a.test.mjs test/b.test.mjs',
    ],
    ['npm', 'npm test', NODE, 'npm test -- test/a.test.mjs test/b.test.mjs', { test: 'node --test' }],
    ['npm run', 'npm run unit', NODE, 'npm run unit -- test/a.test.mjs test/b.test.mjs', { unit: 'node --test' }],
    [
      'npm and a script with a folder',
      'npm test',
      NODE,
      'node --test test/a.test.mjs test/b.test.mjs',
      { test: 'node --test test' },
    ],
    ['pnpm', 'pnpm test', VITEST, 'pnpm test a.test.mjs b.test.mjs c.test.mjs', { test: 'vitest run' }],
    ['yarn', 'yarn test', JEST, 'yarn test --runTestsByPath ./a.test.js', { test: 'jest' }],
    [
      'vitest',
      'npx vitest run --project unit',
      VITEST,
      'npx vitest run --project unit a.test.mjs b.test.mjs c.test.mjs',
    ],
    ['vitest with a project in its name', 'vitest run', ['unit libs/a.spec.ts > x'], 'vitest run libs/a.spec.ts'],
    ['jest', 'jest --coverage=false', JEST, 'jest --coverage=false --runTestsByPath ./a.test.js'],
    ['mocha', 'mocha', MOCHA, String.raw`mocha --grep '^(?:m within fails|alone \(now\))$'`],
    [
      'mocha by npm',
      'npm test',
      MOCHA,
      String.raw`npm test -- --grep '^(?:m within fails|alone \(now\))$'`,
      { test: 'mocha test' },
    ],
    ['pytest', 'pytest', PYTEST, "pytest tests/test_a.py::test_bad tests/test_b.py 'tests/test_c.py::T::test_x[a b]'"],
    [
      'pytest as a module',
      '.venv/bin/python -m pytest -q tests',
      PYTEST.slice(0, 1),
      '.venv/bin/python -m pytest -q tests/test_a.py::test_bad',
    ],
    ['pytest with a name that is not stable', 'pytest', ['test_a.py::test_x[<hex>]'], 'pytest test_a.py::test_x'],
    ['unittest', 'python3 -m unittest', UNITTEST, 'python3 -m unittest test_x.T.test_bad test_y.T.test_old'],
    [
      'unittest discover',
      'python3 -m unittest discover',
      UNITTEST,
      'python3 -m unittest test_x.T.test_bad test_y.T.test_old',
    ],
    ['go', 'go test -v ./...', GO, "go test -v -run '^(?:TestBad|TestOther)$' example.test/sum/b example.test/sum/c"],
    [
      'go with a package that was not built',
      'go test ./...',
      [...GO, 'example.test/d'],
      'go test example.test/sum/b example.test/sum/c example.test/d',
    ],
    ['cargo', 'cargo test', ['tests::bad', 'outside'], 'cargo test -- --exact tests::bad outside'],
    [
      'a variable before the command',
      'FORCE_COLOR=0 node --test',
      ['a.test.mjs'],
      'FORCE_COLOR=0 node --test a.test.mjs',
    ],
  ])('selects failing tests: %s', (_, command, failures, focused, scripts) => {
    expect(focus(command, failures, scripts)).toBe(focused);
  });

  it.each<[string, string, readonly string[], Record<string, string>?]>([
    ['no failure', 'node --test', []],
    ['an unknown runner', 'make test', NODE],
    ['two commands', 'npm run build && node --test', NODE],
    ['a pipe', 'node --test | tee log', NODE],
    ['a substitution', 'node --test $(cat files)', NODE],
    ['a script with two commands', 'npm test', NODE, { test: 'tsc && node --test' }],
    ['a script that is not there', 'npm test', NODE],
    ['a script that calls itself', 'npm test', NODE, { test: 'npm test' }],
    ['a folder in a script with a script before it', 'npm test', NODE, { test: 'node --test test', pretest: 'tsc' }],
    ['a runner behind an unknown option of a manager', 'yarn -x vitest run', VITEST],
    ['unittest in a named folder', 'python3 -m unittest discover tests', UNITTEST],
    ['a workspace', 'npm test -w packages/a', NODE, { test: 'node --test' }],
    ['names without files', 'node --test', ['fails']],
    ['one name without a file', 'vitest run', [...VITEST, 'group > fails']],
    ['a path that was shortened', 'node --test', ['…/test/a.test.mjs: fails']],
    ['an absolute path', 'node --test', ['/etc/a.test.mjs: fails']],
    ['a path that leaves the repository', 'pytest', ['../test_a.py::test_x']],
    ['a path that is not stable', 'node --test', ['test/<tmp>.test.mjs: fails']],
    ['a filter in a script of vitest', 'npm test', VITEST, { test: 'vitest run src' }],
    ['vitest in another root', 'vitest run --root packages/a', VITEST],
    ['unittest in another folder', 'python3 -m unittest discover -s tests', UNITTEST],
    ['a test of unittest that was not loaded', 'python3 -m unittest', ['test_x (unittest.loader._FailedTest.test_x)']],
    ['go without a package', 'go test ./...', ['TestBad']],
    ['a documentation test of cargo', 'cargo test', ['src/lib.rs - add (line <n>)']],
    ['cargo with arguments for the tests', 'cargo test -- --nocapture', ['tests::bad']],
    ['mocha with a name that is not stable', 'mocha', ['takes <time>']],
    ['a flag with an unknown value', 'node --unknown value --test', NODE],
    ['a subcommand of vitest', 'vitest bench', VITEST],
    ['another python module', 'python3 -m doctest', PYTEST],
  ])('gives up: %s', (_, command, failures, scripts) => {
    expect(focus(command, failures, scripts)).toBeNull();
  });

  it.each<[string, string, readonly string[], readonly string[], string, Record<string, string>?]>([
    ['node:test', 'node --test', ['test/c.test.mjs'], [], 'node --test test/c.test.mjs'],
    [
      'files and failures',
      'node --test',
      ['test/c.test.mjs', 'test/b.test.mjs'],
      ['test/b.test.mjs: x'],
      'node --test test/c.test.mjs test/b.test.mjs',
    ],
    ['npm and vitest', 'npm test', ['src/a.spec.ts'], [], 'npm test -- src/a.spec.ts', { test: 'vitest run' }],
    ['jest', 'jest', ['a.test.js'], ['./b.test.js: x'], 'jest --runTestsByPath a.test.js ./b.test.js'],
    [
      'pytest',
      'pytest -q',
      ['tests/test_a.py'],
      ['tests/test_b.py::test_x'],
      'pytest -q tests/test_a.py tests/test_b.py::test_x',
    ],
    [
      'go, by package',
      'go test ./...',
      ['sum/b/b_test.go', 'root_test.go'],
      ['example.test/c: TestC'],
      'go test example.test/c ./sum/b ./',
    ],
  ])('selects whole test files: %s', (_, command, files, failures, focused, scripts = {}) => {
    expect(focusedCommand(command, { scripts, failures, files })).toBe(focused);
  });

  it.each([
    ['mocha', 'mocha', 'test/a.test.js'],
    ['unittest', 'python3 -m unittest', 'test_a.py'],
    ['cargo', 'cargo test', 'tests/a.rs'],
    ['a file of another language', 'node --test', 'tests/test_a.py'],
    ['a file that leaves the repository', 'node --test', '../a.test.mjs'],
    ['a path with a line break', 'node --test', 'a\nb.test.mjs'],
  ])('gives up on whole test files: %s', (_, command, file) => {
    expect(focusedCommand(command, { scripts: {}, failures: [], files: [file] })).toBeNull();
  });

  it('gives up if more than a hundred files fail', () => {
    const failures = Array.from({ length: 101 }, (_, nth) => `test/a${String(nth)}.test.mjs: fails`);
    expect(focus('node --test', failures)).toBeNull();
  });

  it('quotes hostile names', () => {
    expect(focus('pytest', ["a.py::test_x['; rm -rf / #]"])).toBe(String.raw`pytest 'a.py::test_x['\''; rm -rf / #]'`);
    expect(focus('node --test', ['-e.test.mjs: x'])).toBe('node --test ./-e.test.mjs');
    expect(focus('node --test', ['a$(id).test.mjs: x'])).toBe("node --test 'a$(id).test.mjs'");
  });

  it('leaves nothing outside of quotes that a shell would read as more than words', () => {
    const shapes: readonly [string, (name: string) => string][] = [
      ['node --test', (name) => `${name}.test.mjs: x`],
      ['mocha', (name) => name],
      ['pytest', (name) => `a.py::test[${name}]`],
      ['cargo test', (name) => name],
      ['go test ./...', (name) => `example.test/a: ${name}`],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...shapes), fc.string(), ([command, shape], name) => {
        const focused = focus(command, [shape(name)]);
        if (focused === null) return;
        const unquoted = focused.replaceAll(String.raw`'\''`, '').replaceAll(/'[^']*'/g, '');
        expect(unquoted).toMatch(/^[\w@%+=:,./ -]*$/);
      }),
    );
  });
});
