import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failuresOf, MOST_FAILURES } from './failures-of.js';

const NODE_SPEC = `✔ adds (1.2ms)
▶ group
  ✖ fails (0.9ms)
  ✖ someday (0.3ms) # TODO
✖ group (6.9ms)
ℹ fail 1

✖ failing tests:

test at test/a.test.mjs:3:1
✖ fails (0.9ms)
  AssertionError: ✖ not a test
`;
const TAP = `    not ok 1 - fails
    not ok 2 - later # TODO
not ok 2 - group
ok 3 - works
`;
const VITEST = ` ❯ a.test.mjs (4 tests | 1 failed) 5ms
   × group > fails 5ms

 FAIL  a.test.mjs > group > fails
 FAIL  |unit| b.test.mjs > other
 FAIL  c.test.mjs [ c.test.mjs ]
Error: no
`;
const VITEST_BADGE =
  '\u001b[41m\u001b[1m FAIL \u001b[22m\u001b[49m \u001b[30m\u001b[42m unit \u001b[49m\u001b[39m libs/a.spec.ts\u001b[2m > \u001b[22mgroup\u001b[2m > \u001b[22mfails';
const JEST = `  ● Validation Warning:
PASS ./b.test.js
FAIL ./a.test.js (5.2 s)
  ● Console
  ● group › fails
  ● Test suite failed to run
`;
const MOCHA = `  m
    1) fails

  1 passing (4ms)
  2 failing

  1) m
       within
         fails:

      AssertionError [ERR_ASSERTION]: 1 == 2
      + expected - actual
  2) alone:
     Error: no
`;
const PYTEST = `FAILED test_a.py::test_bad - assert 1 == 2
ERROR test_a.py::test_err - RuntimeError: fixture
ERROR test_b.py
ERROR something else went wrong
SUBFAILED(i=1) test_b.py::test_s - assert 1 == 0
`;
const UNITTEST = `FAIL: test_bad (test_x.T.test_bad)
ERROR: test_err (test_x.T.test_err)
ERROR: no test at all
`;
const GO = `--- FAIL: TestBad (0.00s)
    --- FAIL: TestBad/sub (0.00s)
    b_test.go:3: bad
FAIL
FAIL	example.test/sum/b	0.002s
FAIL	example.test/sum/c [build failed]
FAIL
`;
const CARGO = `test tests::works ... ok
test tests::bad ... FAILED
test src/lib.rs - add (line 12) ... FAILED
`;
const SUREFIRE = `[ERROR] Tests run: 2, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.032 s <<< FAILURE! - in x.BTest
[ERROR] bad(x.BTest)  Time elapsed: 0.008 s  <<< FAILURE!
[ERROR] x.BTest.boom -- Time elapsed: 0.003 s <<< ERROR!
`;
const TSC = `src/a.ts(12,5): error TS2345: no such thing
src/b.ts:1:1 - error TS1005: ';' expected.
`;

describe('the failing tests of an output', () => {
  it.each([
    ['node:test, from the list at its end', NODE_SPEC, ['test/a.test.mjs: fails']],
    ['node:test without that list', NODE_SPEC.slice(0, NODE_SPEC.indexOf('\n\n')), ['fails', 'group']],
    ['TAP', TAP, ['fails', 'group']],
    ['vitest', VITEST, ['a.test.mjs > group > fails', '|unit| b.test.mjs > other', 'c.test.mjs [ c.test.mjs ]']],
    ['vitest in colours, with the project as a badge', VITEST_BADGE, ['unit libs/a.spec.ts > group > fails']],
    ['vitest that was ended early', VITEST.slice(0, VITEST.indexOf(' FAIL')), ['group > fails']],
    ['jest', JEST, ['./a.test.js: group › fails', './a.test.js: Test suite failed to run']],
    ['mocha', MOCHA, ['m > within > fails', 'alone']],
    ['pytest', PYTEST, ['test_a.py::test_bad', 'test_a.py::test_err', 'test_b.py', 'test_b.py::test_s']],
    ['unittest', UNITTEST, ['test_bad (test_x.T.test_bad)', 'test_err (test_x.T.test_err)']],
    ['go', GO, ['example.test/sum/b: TestBad', 'example.test/sum/b: TestBad/sub', 'example.test/sum/c']],
    ['cargo', CARGO, ['tests::bad', 'src/lib.rs - add (line <n>)']],
    ['surefire', SUREFIRE, ['bad(x.BTest)', 'x.BTest.boom']],
    ['a type checker, where no test is named', TSC, ['src/a.ts: TS2345: no such thing', "src/b.ts: TS1005: ';' expected."]],
    ['a runner that nobody knows', 'it went wrong\n3 of 4 are bad', []],
  ])('are found as %s names them', (_, output, names) => {
    expect(failuresOf(output)).toEqual(names);
  }); // prettier-ignore

  it('have the same names with colours, and whatever time they took', () => {
    const coloured = NODE_SPEC.replaceAll(
      /✖ (\w+) \((.*?)\)/g,
      '\u001b[31m✖ $1 \u001b[90m(17.25ms)\u001b[39m\u001b[39m',
    );
    expect(failuresOf(coloured)).toEqual(failuresOf(NODE_SPEC));
  });

  it('are each named once, and no more than anybody reads', () => {
    const many = Array.from({ length: 2_000 }, (_, nth) => `not ok ${String(nth)} - test ${String(nth % 900)}`);
    expect(failuresOf(many.join('\n'))).toHaveLength(MOST_FAILURES);
    expect(new Set(failuresOf(many.join('\n'))).size).toBe(MOST_FAILURES);
  });

  it('are found soon in whatever was printed', () => {
    const pieces = fc.constantFrom(' ', '✖ ', '(1ms)', 'FAIL ', ' > ', '● ', '1) ', ':', '\n', 'a', '::', ' - ', '...', '\t');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        expect(failuresOf(parts.join('')).every((name) => name !== '' && !name.includes('\n'))).toBe(true);
      }),
    );
    const since = performance.now();
    for (const piece of ['✖ a ', ' FAIL  a > ', 'FAILED a::', '  1) a\n', '--- FAIL: ', 'test ... ', 'a:1:1: ']) {
      failuresOf(piece.repeat(50_000));
    }
    expect(performance.now() - since).toBeLessThan(5_000);
  }); // prettier-ignore
});
