import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failuresInScope, namesFailure, type ScopeFacts } from './scope.js';

const DISCOUNT = {
  name: 'test/discount.test.mjs: rounds down',
  output:
    'AssertionError: 1 == 2\n    at TestContext.<anonymous> (file:///src/test/discount.test.mjs:3:1)\n    at applyDiscount (src/discount.mjs:9:3)',
};
const CART = {
  name: 'test/cart.test.mjs: keeps items',
  output: 'TypeError: cart.sum_items is not a function\n    at src/cart.mjs:2:1',
};
const PLAIN = { name: 'works', output: 'Error: no' };
const FAILURES = [DISCOUNT, CART, PLAIN];

const scope = (request: string, more: Partial<ScopeFacts> = {}): readonly string[] => [
  ...failuresInScope({ request, steps: [], failures: FAILURES, proposed: [], goal: null, ...more }).keys(),
];
const ALL = FAILURES.map(({ name }) => name);

describe('failuresInScope: paths and symbols', () => {
  it.each<[string, string, readonly string[]]>([
    ['a file name', 'Fix src/discount.mjs', [DISCOUNT.name]],
    ['a module without its end', 'The discount is wrong for negative prices', [DISCOUNT.name]],
    ['a module at the start of a sentence', 'Discount must round up', [DISCOUNT.name]],
    ['a function in camel case', 'applyDiscount rounds wrongly', [DISCOUNT.name]],
    ['a function in snake case', 'sum_items is gone', [CART.name]],
    ['a name in code quotes', 'Look at `sum_items`', [CART.name]],
    ['a call', 'Why does cart.sum_items() fail?', [CART.name]],
    ['a test by its file', 'See test/cart.test.mjs', [CART.name]],
    ['nothing', 'Add a dark mode', []],
    ['a part of a word', 'Discounting is not our business, nor are carts', []],
    ['common words', 'Add a test that works in the src folder', []],
    ['another file with a similar name', 'Fix src/discount-code.mjs', []],
    ['the name of the test folder', 'Move the test files', []],
  ])('compares whole words: %s', (_, request, names) => {
    expect(scope(request)).toEqual(names);
  });

  it('reads a stem of several words in any spelling', () => {
    const failures = [{ name: 'src/dark-mode.test.ts > toggles', output: '' }];
    for (const request of ['Dark mode is broken', 'fix darkMode', 'fix `dark_mode`', 'see DarkMode']) {
      expect(scope(request, { failures })).toEqual([failures[0]?.name]);
    }
  });

  it('ignores frames of installed packages and of Node', () => {
    const output = 'at run (node_modules/mocha/lib/runner.js:1:2)\nat node:internal/timers:483:21';
    expect(scope('Replace the runner and the timers', { failures: [{ name: 'works', output }] })).toEqual([]);
  });

  it('reads the steps of the plan', () => {
    const steps = [{ title: 'Round', detail: 'Change applyDiscount.' }];
    expect(scope('Be fair', { steps })).toEqual([DISCOUNT.name]);
  });

  it('says why', () => {
    const found = failuresInScope({
      request: 'Fix `applyDiscount`',
      steps: [],
      failures: FAILURES,
      proposed: [],
      goal: null,
    });
    expect(found.get(DISCOUNT.name)).toBe('The request or a step names applyDiscount, and so does the failure.');
  });
});

describe('failuresInScope: proposals and goals', () => {
  it('takes proposals that are failures of the baseline', () => {
    expect(scope('Be fair', { proposed: ['works', 'invented'] })).toEqual(['works']);
  });

  it('takes all if the goal is green', () => {
    expect(scope('Be fair', { goal: 'green' })).toEqual(ALL);
  });

  it.each([
    'Make the tests pass',
    'Please fix the failing tests.',
    'Fix all broken tests',
    'CI is red',
    'The build is broken. Repair it.',
    'The tests are failing since Monday',
    'get the test suite green',
    'Fix the tests',
    'npm test fails',
    'Repair the red build',
    'make CI pass again',
  ])('takes all if the request speaks of failing tests: %s', (request) => {
    expect(scope(request)).toEqual(ALL);
  });

  it.each([
    'Add a test that fails on negative numbers',
    'Do not touch failing tests',
    "Improve the docs, but don't fix the failing tests",
    'Write a failing test for the parser',
    'Show a banner if the build fails',
    'Notify the team when CI is red',
    'Ignore broken tests in the report',
    'Print how many tests failed at the end of the run',
    'Send a mail to the author of a commit whose build failed',
    'Count the tests failed per suite',
    'Show all tests that failed, and list which specs failed',
    'Add a red button to the build page',
    'Retry tests that are failing',
    'Pass the tests folder as an argument',
    'Leave the failing tests alone',
    'Without fixing the failing tests, rename the file',
  ])('does not take all for: %s', (request) => {
    expect(scope(request)).toEqual([]);
  });
});

describe('failuresInScope: any text', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'fix `applyDiscount',
      'do not touch failing tests',
      'cart',
      '`',
      'CI is red',
      'never',
      'src/cart.mjs',
      '"',
    ),
  );
  it('never loses a failure by added text, steps or proposals', () => {
    fc.assert(
      fc.property(fc.array(line), line, line, fc.constantFrom(...ALL, 'x'), (lines, added, detail, proposed) => {
        const before = scope(lines.join('\n'));
        const longer = [...lines, added].join('\n');
        const after = scope(longer, { steps: [{ title: added, detail }], proposed: [proposed] });
        expect(before.filter((name) => !after.includes(name))).toEqual([]);
        expect(before.filter((name) => !scope([added, ...lines].join('\n')).includes(name))).toEqual([]);
      }),
    );
  });
});

describe('namesFailure', () => {
  const failure = { name: 'test/users.test.mjs: sorts by age', output: 'at sortUsers (src/user-list.mjs:3:1)' };

  it.each(['They are sorted by age', 'Fix src/user-list.mjs', 'sortUsers keeps the order'])('accepts %j', (text) => {
    expect(namesFailure(text, failure)).toBe(true);
  });

  it.each(['Add a percentage discount', 'Fix the tests', ''])('refuses %j', (text) => {
    expect(namesFailure(text, failure)).toBe(false);
  });
});
