import { describe, expect, it } from 'vitest';
import { splitByFailure } from './output-of-failure.js';

const NODE = `✖ adds (1ms)
✖ subtracts (1ms)
ℹ fail 2

✖ failing tests:

test at a.test.mjs:1:98
✖ adds (1.1ms)
  AssertionError: -1 == 3
      at add (src/add.mjs:1:2)

test at a.test.mjs:3:1
✖ subtracts (1.1ms)
  TypeError: sub is not a function
      at subtract (src/subtract.mjs:1:2)
`;

const PYTEST = `___________________________________ test_add ___________________________________
E       assert 1 == 3
src/adding.py:3: AssertionError
___________________________________ test_sub ___________________________________
E       AttributeError: module 'summing' has no attribute 'sub'
=========================== short test summary info ============================
FAILED test_a.py::test_add - assert 1 == 3
FAILED test_a.py::test_sub - AttributeError
`;

describe('splitByFailure', () => {
  it('gives each failure of node:test its own lines', () => {
    const [adds, subtracts] = splitByFailure(NODE, ['a.test.mjs: adds', 'a.test.mjs: subtracts']);
    expect(adds?.output).toContain('src/add.mjs');
    expect(adds?.output).not.toContain('src/subtract.mjs');
    expect(subtracts?.output).toContain('src/subtract.mjs');
    expect(subtracts?.output).not.toContain('src/add.mjs');
  });

  it('gives each failure of pytest its own lines', () => {
    const [add, sub] = splitByFailure(PYTEST, ['test_a.py::test_add', 'test_a.py::test_sub']);
    expect(add?.output).toContain('src/adding.py');
    expect(sub?.output).not.toContain('src/adding.py');
  });

  it('reads names of vitest, unittest, go and cargo', () => {
    const lines = [
      'FAIL  a.test.ts > group > adds',
      'FAIL: test_bad (x.T.test_bad)',
      '--- FAIL: TestBad (0.00s)',
      '---- tests::bad stdout ----',
    ];
    const names = ['a.test.ts > group > adds', 'test_bad (x.T.test_bad)', 'example.test/b: TestBad', 'tests::bad'];
    const output = lines.map((line, nth) => `${line}\n  reason ${String(nth)}`).join('\n');
    expect(splitByFailure(output, names).map((one) => /reason \d/.exec(one.output)?.[0])).toEqual([
      'reason 0',
      'reason 1',
      'reason 2',
      'reason 3',
    ]);
  });

  it('gives an empty text for a name that the output does not have', () => {
    expect(splitByFailure('nothing', ['a.test.mjs: adds', ''])).toEqual([
      { name: 'a.test.mjs: adds', output: '' },
      { name: '', output: '' },
    ]);
  });

  it('keeps at most sixty lines after a title', () => {
    const [one] = splitByFailure(`✖ adds\n${'line\n'.repeat(500)}`, ['adds']);
    expect(one?.output.split('\n').length).toBeLessThanOrEqual(61);
  });
});
