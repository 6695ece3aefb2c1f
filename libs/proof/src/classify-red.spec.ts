import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyRun } from './classify-red.js';
import * as javascript from './recorded-javascript.fixture.js';
import * as others from './recorded-others.fixture.js';

const recorded = { ...javascript, ...others };

const THROWN_BY_CHECK = `file:///src/check.mjs:3
if (theme() !== 'dark') throw new Error('the theme is not dark');
                              ^

Error: the theme is not dark
    at verify (file:///src/check.mjs:3:31)
    at file:///src/check.mjs:9:1
    at ModuleJob.run (node:internal/modules/esm/module_job:343:25)

Node.js v24.21.0
`;
const THROWN_BY_CODE = THROWN_BY_CHECK.replace('at verify (file:///src/check.mjs', 'at theme (file:///src/theme.mjs');
const RAISED_BY_CHECK = `Traceback (most recent call last):
  File "/src/check.py", line 5, in <module>
    raise Exception("the theme is not dark")
Exception: the theme is not dark
`;

const run = (output: string, exitCode: number | null = 1, endedBy = 'itself') =>
  classifyRun({ exitCode, endedBy, output });

describe('classifyRun: green and cut short', () => {
  it('calls exit code 0 green', () => {
    expect(run('AssertionError: no', 0)).toEqual({ kind: 'green' });
  });

  it.each([
    [0, 'time-out', 'The service ended the command: time-out.'],
    [1, 'memory', 'The service ended the command: memory.'],
    [null, 'itself', 'A signal ended the command.'],
    [137, 'itself', 'A signal ended the command.'],
    [139, 'itself', 'A signal ended the command.'],
    [126, 'itself', 'The command could not be executed.'],
  ])('calls exit code %s ended by %s broken', (exitCode, endedBy, reason) => {
    expect(run('AssertionError: no', exitCode, endedBy)).toEqual({ kind: 'broken', reason });
  });
});

describe('classifyRun: the check ran and said no', () => {
  it.each([
    ['node:test', recorded.NODE_ASSERTION],
    ['TAP', recorded.TAP_ASSERTION],
    ['vitest', recorded.VITEST_ASSERTION],
    ['jest', recorded.JEST_ASSERTION],
    ['mocha', recorded.MOCHA_ASSERTION],
    ['pytest', recorded.PYTEST_ASSERTION],
    ['unittest', recorded.UNITTEST_ASSERTION],
    ['go', recorded.GO_ASSERTION],
    ['cargo', recorded.CARGO_ASSERTION],
    ['surefire', recorded.SUREFIRE_ASSERTION],
    ['a test of node:test that throws', recorded.NODE_THROWN],
    ['a test of mocha that throws', recorded.MOCHA_THROWN],
    ['a test of pytest that throws', recorded.PYTEST_THROWN],
    ['a silent command', ''],
    ['a script with a message of its own', 'The greeting is wrong: Hello\n'],
    [
      'a plain assert of Python',
      'Traceback (most recent call last):\n  File "c.py", line 1, in <module>\nAssertionError\n',
    ],
    ['an assertion about an error', "AssertionError: expected [Function] to throw SyntaxError, got 'x is not defined'"],
    ['an error that the check itself throws', THROWN_BY_CHECK],
    ['an exception that the check itself raises', RAISED_BY_CHECK],
    ['an assertion in colours', '\u001b[31m\u001b[1mAssertionError\u001b[22m: expected 1 to be 2\u001b[39m'],
  ])('recognises an assertion: %s', (_, output) => {
    expect(run(output)).toEqual({ kind: 'assertion' });
  });
});

describe('classifyRun: something is missing', () => {
  it.each<[string, string, readonly string[]]>([
    ['node:test, no export', recorded.NODE_NO_EXPORT, ['sub']],
    ['node:test, no module', recorded.NODE_NO_MODULE, ['/src/nt/minus.mjs']],
    ['node:test, no function', recorded.NODE_NO_FUNCTION, ['sub']],
    ['TAP, no function', recorded.TAP_NO_FUNCTION, ['sub']],
    ['vitest, no module', recorded.VITEST_NO_MODULE, ['./minus.mjs']],
    ['vitest 2, no module', recorded.VITEST_OLD_NO_MODULE, ['./minus.mjs']],
    ['vitest, no function', recorded.VITEST_NO_FUNCTION, ['sub']],
    ['jest, no module', recorded.JEST_NO_MODULE, ['./minus']],
    ['jest, no function', recorded.JEST_NO_FUNCTION, ['sub']],
    ['pytest, no name', recorded.PYTEST_NO_NAME, ['sub']],
    ['pytest, no module', recorded.PYTEST_NO_MODULE, ['pricing/minus.py']],
    ['pytest, no attribute', recorded.PYTEST_NO_ATTRIBUTE, ['sub']],
    ['unittest, no attribute', recorded.UNITTEST_NO_ATTRIBUTE, ['sub']],
    ['unittest, no name', recorded.UNITTEST_NO_NAME, ['sub']],
    ['go, undefined', recorded.GO_UNDEFINED, ['Sub']],
    ['cargo, no function', recorded.CARGO_NO_FUNCTION, ['sub']],
    ['javac, no symbol', recorded.JAVAC_NO_SYMBOL, ['sub']],
    ['a method of nothing', "TypeError: Cannot read properties of undefined (reading 'dark')", ['dark']],
    ['a name', 'ReferenceError: toggleTheme is not defined', ['toggleTheme']],
    ['a constructor', 'TypeError: lib.Cart is not a constructor', ['Cart']],
    ['a name of Python', "NameError: name 'discount' is not defined", ['discount']],
    ['an argument of Python', "TypeError: add() got an unexpected keyword argument 'precision'", ['precision']],
    ['a file of a shell', 'cat: docs/usage.md: No such file or directory', ['docs/usage.md']],
    ['a file of Node', "Error: ENOENT: no such file or directory, open 'docs/usage.md'", ['docs/usage.md']],
    ['a file of Python', "FileNotFoundError: [Errno 2] No such file or directory: 'out.txt'", ['out.txt']],
    ['a flag of argparse', 'usage: x [-h]\nx: error: unrecognized arguments: --json', ['--json']],
    ['a flag of commander', "error: unknown option '--json'", ['--json']],
    [
      'a flag of parseArgs',
      "TypeError [ERR_PARSE_ARGS_UNKNOWN_OPTION]: Unknown option '--json'. To specify",
      ['--json'],
    ],
    ['a flag of Go', 'flag provided but not defined: -json', ['-json']],
    ['a flag of clap', "error: unexpected argument '--json' found", ['--json']],
    ['a command of click', "Error: No such command 'export'.", ['export']],
    ['an npm script', 'npm error Missing script: "coverage"', ['coverage']],
    ['a script of pnpm', ' ERR_PNPM_NO_SCRIPT  Missing script: coverage', ['coverage']],
    ['a script of bun', 'error: script "coverage" not found', ['coverage']],
    ['a type of Rust', 'error[E0433]: failed to resolve: use of undeclared type `Cart`', ['Cart']],
    ['a method of Rust', 'error[E0599]: no method named `sub` found for struct `Sum` in the current scope', ['sub']],
    ['an import of Rust', 'error[E0432]: unresolved import `summing::sub`', ['sub']],
    ['a field of Go', './a.go:5:6: cart.Total undefined (type Cart has no field or method Total)', ['Total']],
    ['a route', '<pre>Cannot GET /health</pre>', ['/health']],
    [
      'a member of a module in TypeScript',
      "a.ts(1,2): error TS2305: Module './a.js' has no exported member 'sub'.",
      ['sub'],
    ],
    [
      'a subpath of a package',
      'Error [ERR_PACKAGE_PATH_NOT_EXPORTED]: Package subpath \'./sub\' is not defined by "exports" in /src/package.json',
      ['./sub'],
    ],
  ])('recognises absence: %s', (_, output, missing) => {
    expect(run(output)).toEqual({ kind: 'absent', missing });
  });

  it('recognises a program of the repository that a shell cannot find', () => {
    expect(run('sh: 1: ./bin/greet: not found', 127)).toEqual({ kind: 'absent', missing: ['./bin/greet'] });
  });

  it('names each missing thing once', () => {
    const output =
      'TypeError: a.sub is not a function\nTypeError: b.sub is not a function\nReferenceError: x is not defined';
    expect(run(output)).toEqual({ kind: 'absent', missing: ['sub', 'x'] });
  });
});

describe('classifyRun: the run proves nothing', () => {
  it.each([
    ['node:test, syntax', recorded.NODE_SYNTAX],
    ['node:test, package', recorded.NODE_NO_PACKAGE],
    ['vitest, syntax', recorded.VITEST_SYNTAX],
    ['jest, syntax', recorded.JEST_SYNTAX],
    ['pytest, syntax', recorded.PYTEST_SYNTAX],
    ['go, syntax', recorded.GO_SYNTAX],
    ['a package of require', "Error: Cannot find module 'lodash'\nRequire stack:\n- /src/a.js"],
    ['an error that other code throws', THROWN_BY_CODE],
    ['a fixture of pytest', "E       fixture 'client' not found\nERROR test_a.py::test_x"],
    ['a permission', 'cat: secret.txt: Permission denied'],
    ['a permission of Node', "Error: EACCES: permission denied, open '/x'"],
    [
      'a crash',
      'file:///src/a.mjs:1\nthrow new Error("no");\n\nRangeError: no\n    at file:///src/a.mjs:1:7\n\nNode.js v24.21.0',
    ],
    ['a crash of Python', 'Traceback (most recent call last):\n  File "c.py", line 1, in <module>\nValueError: bad'],
    ['a panic', 'panic: runtime error: index out of range\n\ngoroutine 1 [running]:'],
    ['a run without tests', 'No test files found, exiting with code 1'],
    ['a shell script', 'check.sh: 3: Syntax error: "(" unexpected'],
  ])('calls it broken: %s', (_, output) => {
    expect(run(output)).toMatchObject({ kind: 'broken' });
  });

  it('says which command was not found', () => {
    expect(run('sh: 1: vitest: not found', 127)).toEqual({
      kind: 'broken',
      reason: 'The command was not found: sh: 1: vitest: not found',
    });
    expect(run('sh: 1: ./node_modules/.bin/vitest: not found', 127)).toMatchObject({ kind: 'broken' });
  });

  it('says which package is missing', () => {
    expect(run(recorded.NODE_NO_PACKAGE)).toMatchObject({ reason: 'A dependency is not installed: lodash-not-there' });
  });
});

describe('classifyRun: any output', () => {
  it('ends quickly and never calls a failed run green', () => {
    const pieces = fc.constantFrom(
      'Error: ',
      "'",
      'is not a function',
      'Cannot find module ',
      '\n',
      'E ',
      '(',
      'a.b',
      ' ',
      ': No such file',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), fc.integer({ min: 1, max: 255 }), (parts, exitCode) => {
        expect(run(parts.join(''), exitCode).kind).not.toBe('green');
      }),
    );
    const since = performance.now();
    for (const piece of ["Cannot find module '", 'a.b', ' is not a function', '(', 'a: ', 'E   '])
      run(piece.repeat(40_000));
    expect(performance.now() - since).toBeLessThan(3_000);
  });
});
