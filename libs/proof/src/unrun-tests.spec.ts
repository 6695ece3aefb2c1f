import { describe, expect, it } from 'vitest';
import { failingTestFor, findUnrunTestFiles } from './unrun-tests.js';

const NODE_SPEC = `▶ sums
  ✔ adds two numbers (0.5ms)
✔ sums (1.5ms)
ℹ tests 1
`;
const TAP = `TAP version 13
# Subtest: adds two numbers
ok 1 - adds two numbers
1..1
`;
const VITEST = ` RUN  v5.1.0 /src/vt

 ✓ src/sum.test.ts (2 tests) 7ms
 ✓ |unit| src/other.test.ts (1 test) 2ms

 Test Files  2 passed (2)
`;
const JEST = `PASS src/sum.test.js
PASS ./src/other.test.js (5.1 s)
Tests:       2 passed, 2 total
`;
const PYTEST = `tests/test_sum.py ..                                                     [ 50%]
tests/test_other.py .                                                    [100%]
3 passed in 0.66s
`;
const PYTEST_QUIET = `...                                                                      [100%]
3 passed in 0.66s
`;
const UNITTEST = `...
----------------------------------------------------------------------
Ran 3 tests in 0.000s

OK
`;
const GO = `ok  \texample.test/sum/a\t0.002s
?   \texample.test/sum/none\t[no test files]
`;
const CARGO = `     Running tests/it.rs (/src/target/debug/deps/it-c55f30c91d539fd3)
test outside ... ok
`;
const SUREFIRE = `[INFO] Running x.ATest
[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0 s - in x.ATest
`;

const unrun = (path: string, titles: readonly string[], output: string, gained: number | null = 0) =>
  findUnrunTestFiles({ files: [{ path, titles }], outputs: [output], gained });

describe('findUnrunTestFiles', () => {
  it('does not take a skipped test of TAP for one that ran', () => {
    const skipped = TAP.replace('ok 1 - adds two numbers', 'ok 1 - adds two numbers # SKIP test name does not match');
    const files = [{ path: 'sum.test.mjs', titles: ['adds two numbers'] }];
    expect(findUnrunTestFiles({ files, outputs: [TAP], gained: 0 })).toEqual([]);
    expect(findUnrunTestFiles({ files, outputs: [skipped], gained: 0 })).toEqual(['sum.test.mjs']);
  });

  it.each<[string, string, readonly string[], string, (number | null)?]>([
    ['vitest lists the file', 'src/sum.test.ts', [], VITEST],
    ['vitest lists the file of a project', 'src/other.test.ts', [], VITEST],
    ['vitest lists the file from a package', 'packages/a/src/sum.test.ts', [], VITEST],
    ['jest lists the file', 'src/other.test.js', [], JEST],
    ['pytest lists the file', 'tests/test_sum.py', [], PYTEST],
    ['node:test prints a title', 'test/sum.test.mjs', ['adds two numbers'], NODE_SPEC],
    ['TAP prints a title', 'test/sum.test.mjs', ['adds two numbers'], TAP],
    ['go names the package', 'a/sum_test.go', ['TestSum'], GO],
    ['cargo names the file', 'tests/it.rs', ['outside'], CARGO],
    ['surefire names the class', 'src/test/java/x/ATest.java', ['adds'], SUREFIRE],
    ['no names, but more tests', 'tests/test_new.py', ['test_new'], PYTEST_QUIET, 1],
    ['no names, but more tests in unittest', 'tests/test_new.py', ['test_new'], UNITTEST, 2],
    ['a helper without tests', 'test/helpers/server.mjs', [], NODE_SPEC],
    ['titles that are built at run time, and more tests', 'test/new.test.mjs', ['adds ${n}'], NODE_SPEC, 3],
  ])('accepts: %s', (_, path, titles, output, gained) => {
    expect(unrun(path, titles, output, gained)).toEqual([]);
  });

  it.each<[string, string, readonly string[], string, (number | null)?]>([
    ['vitest lists other files', 'src/new.test.ts', ['is new here'], VITEST, 5],
    ['jest lists other files', 'src/new.test.js', ['is new here'], JEST, 5],
    ['pytest lists other files', 'tests/test_new.py', ['test_new'], PYTEST, 5],
    ['a file whose name only ends alike', 'src/my-sum.test.ts', [], VITEST, 5],
    ['node:test prints other titles', 'checks/new.test.mjs', ['subtracts two numbers'], NODE_SPEC, 5],
    ['TAP prints other titles', 'checks/new.test.mjs', ['subtracts two numbers'], TAP, 5],
    ['go names other packages', 'b/sum_test.go', ['TestB'], GO, 5],
    ['go says that the package has no tests', 'none/sum_test.go', ['TestB'], GO, 5],
    ['no names and no more tests', 'tests/test_new.py', ['test_new'], PYTEST_QUIET, 0],
    ['no names and no count', 'tests/new.test.mjs', ['is new here'], 'all good', null],
    ['a runner of another language', 'tests/test_new.py', ['test_new'], VITEST, 0],
    ['titles that are built at run time, and no more tests', 'test/new.test.mjs', ['adds ${n}'], NODE_SPEC, 0],
    ['a test file without titles', 'test/new.test.mjs', [], UNITTEST, 0],
    ['no output at all', 'test/new.test.mjs', ['is new here'], '', null],
  ])('reports: %s', (_, path, titles, output, gained) => {
    expect(unrun(path, titles, output, gained)).toEqual([path]);
  });

  it('looks at each output', () => {
    const files = [
      { path: 'src/sum.test.ts', titles: [] },
      { path: 'tests/test_sum.py', titles: ['test_sum'] },
    ];
    expect(findUnrunTestFiles({ files, outputs: [VITEST, PYTEST], gained: 0 })).toEqual([]);
    expect(findUnrunTestFiles({ files, outputs: [PYTEST], gained: 0 })).toEqual(['src/sum.test.ts']);
  });

  it('reports all undecided files if fewer tests came than files', () => {
    const files = ['tests/test_a.py', 'tests/test_b.py'].map((path) => ({ path, titles: ['test_it'] }));
    expect(findUnrunTestFiles({ files, outputs: [UNITTEST], gained: 1 })).toEqual(files.map(({ path }) => path));
    expect(findUnrunTestFiles({ files, outputs: [UNITTEST], gained: 2 })).toEqual([]);
  });

  it('does not take a short title in another text for a sign', () => {
    expect(unrun('checks/new.test.mjs', ['ok'], NODE_SPEC.replace('two', 'ok'), 0)).toEqual(['checks/new.test.mjs']);
  });
});

describe('failingTestFor', () => {
  it.each(['a.test.ts', 'test_a.py', 'a_spec.rb', 'ATest.php', 'a.sh', 'ATest.java', 'a_test.go', 'tests/a.rs'])(
    'knows a text that fails in place of %s',
    (path) => {
      expect(failingTestFor(path)).toContain('This test always fails');
    },
  );

  it('knows none for a language without tests', () => {
    expect(failingTestFor('a.css')).toBeNull();
  });
});
