/** What the runners themselves wrote, recorded; long ones are cut to the part with the summary. */

export const PYTEST_FAILED = `=========================== short test summary info ============================
FAILED test_a.py::test_bad - assert 1 == 2
ERROR test_a.py::test_err - RuntimeError: fixture
========== 1 failed, 3 passed, 1 skipped, 1 xfailed, 1 error in 0.83s ==========
`;

export const PYTEST_COLOURED = `\u001b[36m\u001b[1m=========================== short test summary info ============================\u001b[0m
\u001b[31mFAILED\u001b[0m test_a.py::\u001b[1mtest_bad\u001b[0m - assert 1 == 2
\u001b[31mERROR\u001b[0m test_a.py::\u001b[1mtest_err\u001b[0m - RuntimeError: fixture
\u001b[31m========== \u001b[31m\u001b[1m1 failed\u001b[0m, \u001b[32m3 passed\u001b[0m, \u001b[33m1 skipped\u001b[0m, \u001b[33m1 xfailed\u001b[0m, \u001b[31m\u001b[1m1 error\u001b[0m\u001b[31m in 0.97s\u001b[0m\u001b[31m ==========\u001b[0m
`;

export const PYTEST_QUIET_FAILED = `=========================== short test summary info ============================
FAILED test_a.py::test_bad - assert 1 == 2
ERROR test_a.py::test_err - RuntimeError: fixture
1 failed, 3 passed, 1 skipped, 1 xfailed, 1 error in 0.64s
`;

export const PYTEST_PASSED = `
test_b.py ..                                                             [100%]

============================== 2 passed in 0.66s ===============================
`;

export const PYTEST_DESELECTED = `
============================ 7 deselected in 0.88s =============================
`;

export const UNITTEST_NONE = `
----------------------------------------------------------------------
Ran 0 tests in 0.000s

OK
`;

export const PYTEST_SUBTESTS = `test_c.py::test_sums SUBPASSED(i=0)                                      [100%]
test_c.py::test_sums SUBPASSED(i=1)                                      [100%]
test_c.py::test_sums PASSED                                              [100%]

===================== 1 passed, 2 subtests passed in 0.01s =====================
`;

export const PYTEST_SUBTESTS_FAILED = `SUBFAILED(i=1) test_b.py::test_s - assert 1 == 0
FAILED test_b.py::test_s - contains 1 failed subtest
2 failed, 2 passed, 4 subtests passed in 0.89s
`;

export const GO_FAILED = `ok  	example.test/sum/a	0.002s
--- FAIL: TestBad (0.00s)
    b_test.go:3: bad
FAIL
FAIL	example.test/sum/b	0.002s
?   	example.test/sum/none	[no test files]
FAIL
`;

export const GO_CACHED = `ok  	example.test/sum/a	(cached)
?   	example.test/sum/none	[no test files]
`;

/** Every test of the package was skipped. */
export const GO_ALL_SKIPPED = `ok  	example.test/sum/a	0.005s
`;

export const GO_VERBOSE_EXAMPLES = `=== RUN   TestOne
--- PASS: TestOne (0.00s)
=== RUN   FuzzA
=== RUN   FuzzA/seed#0
--- PASS: FuzzA (0.00s)
    --- PASS: FuzzA/seed#0 (0.00s)
=== RUN   ExampleX
--- PASS: ExampleX (0.00s)
PASS
ok  	example.test/sum/b	0.002s
`;

export const GO_NONE = `ok  	example.test/sum/a	0.003s [no tests to run]
`;

export const GO_COVER = `ok  	example.test/sum/a	0.002s	coverage: [no statements]
`;

export const GO_VERBOSE_FAILED = `=== RUN   TestOne
=== RUN   TestOne/sub
--- PASS: TestOne (0.00s)
    --- PASS: TestOne/sub (0.00s)
=== RUN   TestTwo
--- PASS: TestTwo (0.00s)
=== RUN   TestSkip
    a_test.go:5: later
--- SKIP: TestSkip (0.00s)
PASS
ok  	example.test/sum/a	0.003s
=== RUN   TestBad
    b_test.go:3: bad
--- FAIL: TestBad (0.00s)
=== RUN   TestGood
--- PASS: TestGood (0.00s)
FAIL
FAIL	example.test/sum/b	0.004s
?   	example.test/sum/none	[no test files]
FAIL
`;

export const GO_VERBOSE_PASSED = `=== RUN   TestOne
=== RUN   TestOne/sub
--- PASS: TestOne (0.00s)
    --- PASS: TestOne/sub (0.00s)
=== RUN   TestTwo
--- PASS: TestTwo (0.00s)
=== RUN   TestSkip
    a_test.go:5: later
--- SKIP: TestSkip (0.00s)
PASS
ok  	example.test/sum/a	(cached)
`;

export const CARGO_PASSED = `   Compiling summing v0.1.0 (/src/cr)
    Finished \`test\` profile [unoptimized + debuginfo] target(s) in 0.67s
     Running unittests src/lib.rs (/src/target/debug/deps/summing-85826029395c137d)

running 3 tests
test tests::later ... ignored
test tests::also ... ok
test tests::works ... ok

test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

     Running tests/it.rs (/src/target/debug/deps/it-c55f30c91d539fd3)

running 1 test
test outside ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

   Doc-tests summing

running 1 test
test src/lib.rs - add (line 1) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

all doctests ran in 0.21s; merged doctests compilation took 0.20s
`;

export const CARGO_FAILED = `   Compiling summing v0.1.0 (/src/cr)
    Finished \`test\` profile [unoptimized + debuginfo] target(s) in 0.13s
     Running unittests src/lib.rs (/src/target/debug/deps/summing-85826029395c137d)

running 3 tests
test tests::later ... ignored
test tests::also ... ok
test tests::works ... ok

test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

     Running tests/it.rs (/src/target/debug/deps/it-c55f30c91d539fd3)

running 2 tests
test outside ... ok
test bad ... FAILED

failures:

---- bad stdout ----

thread 'bad' (12999) panicked at tests/it.rs:2:20:
assertion \`left == right\` failed
  left: 1
 right: 2
stack backtrace:
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.


failures:
    bad

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.08s

error: test failed, to rerun pass \`--test it\`
   Doc-tests summing

running 1 test
test src/lib.rs - add (line 1) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

all doctests ran in 0.19s; merged doctests compilation took 0.18s
error: 1 target failed:
    \`--test it\`
`;

export const SUREFIRE_PASSED = `[INFO] --- maven-surefire-plugin:2.22.3:test (default-cli) @ x ---
[INFO] 
[INFO] -------------------------------------------------------
[INFO]  T E S T S
[INFO] -------------------------------------------------------
[INFO] Running x.ATest
[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.259 s - in x.ATest
[INFO] 
[INFO] Results:
[INFO] 
[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1
[INFO] 
[INFO] ------------------------------------------------------------------------
[INFO] BUILD SUCCESS
[INFO] ------------------------------------------------------------------------
[INFO] Total time:  14.710 s
[INFO] Finished at: 2026-11-16T09:12:18Z
[INFO] ------------------------------------------------------------------------
\u001b[0m\u001b[0m`;

export const SUREFIRE_FAILED = `[INFO]  T E S T S
[INFO] -------------------------------------------------------
[INFO] Running x.BTest
[ERROR] Tests run: 2, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.032 s <<< FAILURE! - in x.BTest
[ERROR] bad(x.BTest)  Time elapsed: 0.008 s  <<< FAILURE!
java.lang.AssertionError: expected:<1> but was:<2>
	at x.BTest.bad(BTest.java:2)

[ERROR] boom(x.BTest)  Time elapsed: 0.003 s  <<< ERROR!
java.lang.RuntimeException: boom
	at x.BTest.boom(BTest.java:2)

[INFO] Running x.ATest
[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0 s - in x.ATest
[INFO] 
[INFO] Results:
[INFO] 
[ERROR] Failures: 
[ERROR]   BTest.bad:2 expected:<1> but was:<2>
[ERROR] Errors: 
[ERROR]   BTest.boom:2 Runtime boom
[INFO] 
[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1
[INFO] 
[INFO] ------------------------------------------------------------------------
[INFO] BUILD FAILURE
[INFO] ------------------------------------------------------------------------
[INFO] Total time:  12.227 s
[INFO] Finished at: 2026-11-16T09:12:41Z
[INFO] ------------------------------------------------------------------------`;
