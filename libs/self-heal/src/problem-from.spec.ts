import { describe, expect, it } from 'vitest';
import { comparedTo, type VerifyFacts } from './comparison.js';
import { signatureOf } from './normalise-error.js';
import { problemFrom } from './problem-from.js';

const failing = (output: string): VerifyFacts => ({
  verdict: 'failed',
  commands: [{ command: 'npm test', exitCode: 1, endedBy: 'itself', output, failed: null }],
});
const problemOf = (output: string, folder?: string) => problemFrom(comparedTo(null, failing(output)), folder);

const printed = (folder: string, passing: readonly string[], line: number): string => `
${passing.map((name) => `✔ ${name} (1.${String(line)}ms)`).join('\n')}
✖ fails (0.9ms)
ℹ tests ${String(passing.length + 1)}
ℹ pass ${String(passing.length)}

✖ failing tests:

test at a.test.mjs:${String(line)}:1
✖ fails (0.9${String(line)}ms)
  TypeError: sum is not a function
      at TestContext.<anonymous> (file://${folder}/a.test.mjs:${String(line)}:5)
`;

describe('the problem that a verification shows', () => {
  it('is told in one line, with the error and its signature', () => {
    const problem = problemOf(printed('/srv/001-x', ['adds'], 3), '/srv/001-x');
    expect(problem).toMatchObject({ title: 'a.test.mjs: fails', command: 'npm test' });
    expect(problem?.error).toContain('TypeError: sum is not a function');
    expect(problem?.signature).toBe(signatureOf(problem?.error ?? ''));
  });

  it('is the same in another checkout, with other tests that pass, in another order', () => {
    const one = problemOf(printed('/srv/001-x', ['adds', 'takes'], 3), '/srv/001-x');
    const other = problemOf(printed('/opt/y/002-y', ['takes', 'adds', 'new'], 44), '/opt/y/002-y');
    expect(other?.signature).toBe(one?.signature);
  });

  it('is the same wherever in its file the test stands', () => {
    const tap = (number: number, via: string): string =>
      `not ok ${String(number)} - fails\n  ---\n  error: 'no'\n  stack: |-\n    run (a.test.mjs:${String(number)}:1)\n    Test.${via} (node:internal/test_runner/test:${String(number)}:9)\n`;
    expect(problemOf(tap(7, 'processPendingSubtests'))?.signature).toBe(problemOf(tap(1, 'start'))?.signature);
  });

  it('is the same beside more tests of vitest', () => {
    const vitest = (tests: number): string =>
      ` RUN  v5.1.0 /w\n\n ❯ b.test.mjs (${String(tests)} tests | 1 failed) 14ms\n   ❯ group (${String(tests)})\n     × fails 9ms\n\n⎯⎯⎯ Failed Tests 1 ⎯⎯⎯\n\n FAIL  b.test.mjs > group > fails\nError: no\n`;
    expect(problemOf(vitest(9))?.signature).toBe(problemOf(vitest(2))?.signature);
    expect(problemOf(vitest(2))?.error).toBe('× fails <time>\nFAIL b.test.mjs > group > fails\nError: no');
  });

  it('is another one where the error is', () => {
    const [one, other] = ['is not a function', 'is undefined'].map((what) => problemOf(`TypeError: sum ${what}`));
    expect(one?.signature).not.toBe(other?.signature);
  });

  it('has an error of its own per command where nothing was printed', () => {
    expect(problemOf('\n \n')).toMatchObject({ title: 'npm test: fails with exit code 1', error: 'npm test printed nothing' });
  });

  it('is short, however much was printed', () => {
    const problem = problemOf(Array.from({ length: 9_000 }, (_, nth) => `not ok ${String(nth)} - ${'x'.repeat(90)} ${String(nth)}\n`).join(''));
    expect(problem?.error.length).toBeLessThanOrEqual(4_000);
    expect(problem?.title.length).toBeLessThanOrEqual(200);
    expect(problem?.title).toMatch(/ \(and 499 more\)$/);
  });

  it('is none where nothing fails', () => {
    expect(problemFrom(comparedTo(null, { verdict: 'passed', commands: [] }))).toBeNull();
  });
}); // prettier-ignore
