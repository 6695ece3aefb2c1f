/** What is written where several packages are tested at once; long outputs are cut to the part with the summary. */

export const GO_JSON_FAILED = `{"Time":"2026-11-16T09:00:00Z","Action":"run","Package":"example.test/sum/b","Test":"TestBad"}
{"Time":"2026-11-16T09:00:00Z","Action":"output","Package":"example.test/sum/b","Test":"TestBad","Output":"--- FAIL: TestBad (0.00s)\\n"}
{"Time":"2026-11-16T09:00:00Z","Action":"fail","Package":"example.test/sum/b","Test":"TestBad","Elapsed":0}
{"Time":"2026-11-16T09:00:00Z","Action":"pass","Package":"example.test/sum/a","Test":"TestOne/sub","Elapsed":0}
{"Time":"2026-11-16T09:00:00Z","Action":"pass","Package":"example.test/sum/a","Test":"TestOne","Elapsed":0}
{"Time":"2026-11-16T09:00:00Z","Action":"pass","Package":"example.test/sum/b","Test":"TestGood","Elapsed":0}
{"Time":"2026-11-16T09:00:00Z","Action":"output","Package":"example.test/sum/b","Output":"FAIL\\texample.test/sum/b\\t0.033s\\n"}
{"Time":"2026-11-16T09:00:00Z","Action":"fail","Package":"example.test/sum/b","Elapsed":0.035}
{"Time":"2026-11-16T09:00:00Z","Action":"pass","Package":"example.test/sum/a","Test":"TestTwo","Elapsed":0}
{"Time":"2026-11-16T09:00:00Z","Action":"output","Package":"example.test/sum/a","Test":"TestSkip","Output":"--- SKIP: TestSkip (0.00s)\\n"}
{"Time":"2026-11-16T09:00:00Z","Action":"skip","Package":"example.test/sum/a","Test":"TestSkip","Elapsed":0}
{"Time":"2026-11-16T09:00:00Z","Action":"output","Package":"example.test/sum/a","Output":"ok  \\texample.test/sum/a\\t0.132s\\n"}
{"Time":"2026-11-16T09:00:00Z","Action":"pass","Package":"example.test/sum/a","Elapsed":0.14}
{"Time":"2026-11-16T09:00:00Z","Action":"output","Package":"example.test/sum/none","Output":"?   \\texample.test/sum/none\\t[no test files]\\n"}
{"Time":"2026-11-16T09:00:00Z","Action":"skip","Package":"example.test/sum/none","Elapsed":0.002}
`;

export const GO_JSON_NONE = `{"Time":"2026-11-16T09:00:00Z","Action":"output","Package":"example.test/sum/a","Output":"testing: warning: no tests to run\\n"}
{"Time":"2026-11-16T09:00:00Z","Action":"output","Package":"example.test/sum/a","Output":"ok  \\texample.test/sum/a\\t0.039s [no tests to run]\\n"}
{"Time":"2026-11-16T09:00:00Z","Action":"pass","Package":"example.test/sum/a","Elapsed":0.049}
`;

export const GO_JSON_NOT_BUILT = `{"ImportPath":"example.test/bad [example.test/bad.test]","Action":"build-output","Output":"bad.go:3:1: syntax error\\n"}
{"ImportPath":"example.test/bad [example.test/bad.test]","Action":"build-fail"}
{"Time":"2026-11-16T09:00:00Z","Action":"start","Package":"example.test/bad"}
{"Time":"2026-11-16T09:00:00Z","Action":"output","Package":"example.test/bad","Output":"FAIL\\texample.test/bad [build failed]\\n"}
{"Time":"2026-11-16T09:00:00Z","Action":"fail","Package":"example.test/bad","Elapsed":0,"FailedBuild":"example.test/bad [example.test/bad.test]"}
`;

export const SUREFIRE_FLAKES = `[WARNING] Flakes:
[WARNING] x.ATest.adds
[ERROR]   Run 1: ATest.adds:13 expected: <2000> but was: <1607>
[INFO]   Run 2: PASS
[INFO]
[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Flakes: 1
[INFO] BUILD SUCCESS
`;

export const PNPM_RECURSIVE = `Scope: 2 of 3 workspace projects
packages/a test$ vitest run
packages/b test$ vitest run
packages/a test:  RUN  v4.1.4 /src/packages/a
packages/a test:  ✓ src/id.test.ts (3 tests) 3ms
packages/b test:  RUN  v4.1.4 /src/packages/b
packages/a test:  Test Files  1 passed (1)
packages/a test:       Tests  3 passed (3)
packages/b test:  Test Files  1 failed (1)
packages/b test:       Tests  1 failed | 2 passed | 1 skipped (4)
packages/a test: Done
packages/b test: Failed
`;

export const TURBO = `@x/a:test: cache miss, executing 6a2f3ba5a1b4c0d9
@x/b:test: cache miss, executing 52d3e97ab8a1ee04
@x/a:test: > jest
@x/a:test: PASS src/a.test.js
@x/b:test: # pass 4
@x/a:test: Test Suites: 1 passed, 1 total
@x/b:test: # fail 0
@x/a:test: Tests:       1 skipped, 2 passed, 3 total
@x/a:test: Snapshots:   0 total

 Tasks:    2 successful, 2 total
Cached:    0 cached, 2 total
  Time:    2.1s
`;

export const YARN_FOREACH = `[a]: Process started
[@x/b]: Process started
[a]: Ran 4 tests in 0.003s
[@x/b]: Ran 2 tests in 0.001s
[a]:
[@x/b]:
[a]: OK (skipped=1)
[@x/b]: OK
[a]: Process exited (exit code 0), completed in 1s 12ms
[@x/b]: Process exited (exit code 0), completed in 1s 80ms
Done in 1s 103ms
`;

export const LERNA_STREAM = `lerna info run Executing command in 2 packages: "npm run test"
a: > mocha
a:   2 passing (4ms)
@x/b: Tests:       2 passed, 2 total
lerna info run Ran npm script 'test' in 'a' in 0.4s:
lerna success run Ran npm script 'test' in 2 packages in 0.9s:
`;
