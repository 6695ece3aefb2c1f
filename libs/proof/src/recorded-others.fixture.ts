/** Outputs of failing runs as the runners wrote them; long ones are cut to the part that says why. */

export const PYTEST_ASSERTION = `    def test_add():
>       assert summing.add(2,1)==3
E       assert 1 == 3

test_ass.py:3: AssertionError
=========================== short test summary info ============================
FAILED test_ass.py::test_add - assert 1 == 3
1 failed in 0.96s
`;

export const PYTEST_NO_NAME = `ImportError while importing test module '/src/py/test_imp.py'.
Traceback:
test_imp.py:1: in <module>
    from summing import sub
E   ImportError: cannot import name 'sub' from 'summing' (/src/py/summing.py)
ERROR test_imp.py
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
1 error in 1.01s
`;

export const PYTEST_NO_MODULE = `ImportError while importing test module '/src/py/test_mod.py'.
Traceback:
test_mod.py:1: in <module>
    import pricing.minus
E   ModuleNotFoundError: No module named 'pricing.minus'
ERROR test_mod.py
1 error in 0.95s
`;

export const PYTEST_NO_ATTRIBUTE = `    def test_sub():
>       assert summing.sub(2,1)==1
E       AttributeError: module 'summing' has no attribute 'sub'

test_attr.py:3: AttributeError
FAILED test_attr.py::test_sub - AttributeError: module 'summing' has no attri...
1 failed in 0.81s
`;

export const PYTEST_THROWN = `>       1/0
E       ZeroDivisionError: division by zero

test_div.py:2: ZeroDivisionError
FAILED test_div.py::test_div - ZeroDivisionError: division by zero
1 failed in 0.73s
`;

export const PYTEST_SYNTAX = `_________________________ ERROR collecting test_syn.py _________________________
E     File "/src/py/test_syn.py", line 1
E       def test_x(:
E   SyntaxError: invalid syntax
ERROR test_syn.py
1 error in 1.02s
`;

export const UNITTEST_ASSERTION = `FAIL: test_add (test_u1.T.test_add)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/src/py/test_u1.py", line 3, in test_add
AssertionError: -1 != 3

Ran 1 test in 0.000s

FAILED (failures=1)
`;

export const UNITTEST_NO_ATTRIBUTE = `ERROR: test_sub (test_u2.T.test_sub)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/src/py/test_u2.py", line 3, in test_sub
AttributeError: module 'summing' has no attribute 'sub'
`;

export const UNITTEST_NO_NAME = `ERROR: test_u3 (unittest.loader._FailedTest.test_u3)
----------------------------------------------------------------------
ImportError: Failed to import test module: test_u3
Traceback (most recent call last):
  File "/src/py/test_u3.py", line 2, in <module>
    from summing import sub
ImportError: cannot import name 'sub' from 'summing' (/src/py/summing.py)
`;

export const GO_ASSERTION = `--- FAIL: TestBad (0.00s)
    b_test.go:3: bad
FAIL
FAIL\texample.test/sum/b\t0.002s
FAIL
`;

export const GO_UNDEFINED = `# example.test/sum/b [example.test/sum/b.test]
./b_test.go:6:9: undefined: Sub
FAIL\texample.test/sum/b [build failed]
FAIL
`;

export const GO_SYNTAX = `# example.test/sum/b
./b_test.go:6:9: syntax error: unexpected newline, expected expression
FAIL\texample.test/sum/b [setup failed]
`;

export const CARGO_ASSERTION = `running 1 test
test tests::s ... FAILED

thread 'tests::s' (12999) panicked at src/lib.rs:2:20:
assertion \`left == right\` failed
  left: 1
 right: 2
test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.08s
`;

export const CARGO_NO_FUNCTION = `   Compiling summing v0.1.0 (/src/cr)
error[E0425]: cannot find function \`sub\` in this scope
 --> src/lib.rs:5:29
5 |  #[test] fn s(){ assert_eq!(sub(2,1),1); }
error: could not compile \`summing\` (lib test) due to 1 previous error; 1 warning emitted
`;

export const SUREFIRE_ASSERTION = `[ERROR] bad(x.BTest)  Time elapsed: 0.008 s  <<< FAILURE!
java.lang.AssertionError: expected:<1> but was:<2>
\tat x.BTest.bad(BTest.java:2)
[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0
`;

export const JAVAC_NO_SYMBOL = `[ERROR] COMPILATION ERROR :
[ERROR] /src/x/BTest.java:[6,9] cannot find symbol
[ERROR]   symbol:   method sub(int,int)
[ERROR]   location: class x.Sum
`;
