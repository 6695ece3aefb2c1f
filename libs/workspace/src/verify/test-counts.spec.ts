import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as javascript from './runners/recorded-javascript.fixture.js';
import * as node from './runners/recorded-node.fixture.js';
import * as others from './runners/recorded-others.fixture.js';
import { parseTestCounts, testsRun } from './test-counts.js';

type Row = readonly [output: keyof typeof recorded, runner: string, passed: number, failed: number, skipped: number];

const recorded = { ...node, ...javascript, ...others };

const ROWS: readonly Row[] = [
  ['NODE_SPEC_FAILED', 'node:test', 2, 1, 2],
  ['NODE_SPEC_COLOURED', 'node:test', 2, 1, 2],
  ['NODE_SPEC_SKIPPED', 'node:test', 0, 0, 1],
  ['NODE_SPEC_NONE', 'node:test', 0, 0, 0],
  ['NODE_TAP_FAILED', 'node:test', 2, 1, 2],
  ['NODE_TAP_PASSED', 'node:test', 2, 0, 0],
  ['NODE_SPEC_EMPTY_FILE', 'node:test', 0, 0, 0],
  ['NODE_SPEC_EMPTY_BESIDE', 'node:test', 1, 0, 0],
  ['NODE_TAP_EMPTY_FILE', 'node:test', 0, 0, 0],
  ['NODE_TAP_EMPTY_BESIDE', 'node:test', 1, 0, 0],
  ['NODE_20_SPEC_EMPTY_FILE', 'node:test', 0, 0, 0],
  ['NODE_20_TAP_EMPTY_FILE', 'node:test', 0, 0, 0],
  ['NODE_SPEC_BROKEN_FILE', 'node:test', 0, 1, 0],
  ['VITEST_FAILED', 'vitest', 3, 1, 2],
  ['VITEST_COLOURED', 'vitest', 3, 1, 2],
  ['VITEST_PASSED', 'vitest', 2, 0, 0],
  ['VITEST_SKIPPED', 'vitest', 0, 0, 6],
  ['VITEST_NONE', 'vitest', 0, 0, 0],
  ['JEST_FAILED', 'jest', 3, 1, 2],
  ['JEST_COLOURED', 'jest', 3, 1, 2],
  ['JEST_PASSED', 'jest', 2, 0, 0],
  ['JEST_NONE', 'jest', 0, 0, 0],
  ['MOCHA_FAILED', 'mocha', 1, 1, 2],
  ['MOCHA_COLOURED', 'mocha', 1, 1, 2],
  ['MOCHA_PASSED', 'mocha', 2, 0, 0],
  ['MOCHA_TAP_FAILED', 'tap', 1, 1, 0],
  ['MOCHA_NONE', 'mocha', 0, 0, 0],
  ['PYTEST_FAILED', 'pytest', 3, 2, 2],
  ['PYTEST_COLOURED', 'pytest', 3, 2, 2],
  ['PYTEST_QUIET_FAILED', 'pytest', 3, 2, 2],
  ['PYTEST_PASSED', 'pytest', 2, 0, 0],
  ['PYTEST_SUBTESTS', 'pytest', 1, 0, 0],
  ['PYTEST_SUBTESTS_FAILED', 'pytest', 2, 2, 0],
  ['PYTEST_DESELECTED', 'pytest', 0, 0, 0],
  ['UNITTEST_NONE', 'unittest', 0, 0, 0],
  ['GO_VERBOSE_FAILED', 'go test', 3, 1, 1],
  ['GO_VERBOSE_PASSED', 'go test', 2, 0, 1],
  ['GO_VERBOSE_EXAMPLES', 'go test', 3, 0, 0],
  ['GO_NONE', 'go test', 0, 0, 0],
  ['CARGO_PASSED', 'cargo test', 4, 0, 1],
  ['CARGO_FAILED', 'cargo test', 4, 1, 1],
  ['SUREFIRE_PASSED', 'surefire', 2, 0, 1],
  ['SUREFIRE_FAILED', 'surefire', 2, 2, 1],
];

describe('the number of tests in an output', () => {
  it.each(ROWS)('%s: %s with %i passed, %i failed, %i skipped', (output, runner, passed, failed, skipped) => {
    expect(parseTestCounts(recorded[output])).toEqual({ runner, passed, failed, skipped });
  });

  it.each([
    ['GO_CACHED', 0],
    ['GO_COVER', 0],
    ['GO_ALL_SKIPPED', 0],
    ['GO_FAILED', 1],
  ] as const)('%s: without -v go says no number, so a package that passed shows nothing', (output, failed) => {
    const counts = { runner: 'go test', passed: 0, failed, skipped: 0, isMinimum: true };
    expect(parseTestCounts(recorded[output])).toEqual(counts);
  });

  it('is unknown where no runner reports: the dot reporter, a quiet maven, an empty output', () => {
    expect(parseTestCounts(node.NODE_DOT_PASSED)).toBeNull();
    expect(parseTestCounts('')).toBeNull();
    expect(parseTestCounts('all 12 tests passed!\n')).toBeNull();
  });

  it('is the sum over several runners and over several runs of one', () => {
    const output = [javascript.JEST_PASSED, node.NODE_TAP_PASSED, javascript.JEST_FAILED].join('\n');
    expect(parseTestCounts(output)).toEqual({ runner: 'node:test + jest', passed: 7, failed: 1, skipped: 2 });
  });

  it('takes what node says of empty files from the run that it was said of', () => {
    const output = [node.NODE_SPEC_EMPTY_FILE, node.NODE_TAP_PASSED, node.NODE_TAP_EMPTY_FILE];
    expect(parseTestCounts(output.join('\n'))).toMatchObject({ passed: 2, failed: 0 });
  });

  it('counts what python says two lines later', () => {
    const output = 'Ran 5 tests in 0.003s\n\nFAILED (failures=1, errors=1, skipped=1, expected failures=1)\n';
    expect(parseTestCounts(output)).toEqual({ runner: 'unittest', passed: 1, failed: 2, skipped: 2 });
  });

  it('counts a go package that does not compile as a failure', () => {
    expect(parseTestCounts('FAIL\texample.test/sum/b [build failed]\n')).toMatchObject({ passed: 0, failed: 1 });
  });

  it('does not count skipped tests as run', () => {
    expect(testsRun({ passed: 0, failed: 0, skipped: 9 })).toBe(0);
  });

  it('reads ten megabytes without an end of line, and a summary after them', () => {
    const output = `${'='.repeat(10 * 1024 * 1024)}\n${javascript.JEST_PASSED}`;
    expect(parseTestCounts(output)).toMatchObject({ passed: 2 });
  });

  it('reads ten megabytes of lines that nearly are summaries', () => {
    const nearly = [
      `${'='.repeat(480)} in`,
      `Tests:       ${'1 failed, '.repeat(40)}`,
      `      Tests  ${'1 a | '.repeat(60)}`,
      `\u001b[${'1;'.repeat(200)}`,
      `ok  \t${'a'.repeat(450)}`,
    ].join('\n');
    expect(parseTestCounts(`${nearly}\n`.repeat(5_000))).toBeNull();
  });

  it('makes something sane of any output', () => {
    const texts = Object.values(recorded);
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.nat().map((n) => texts[n % texts.length] ?? ''),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const counts = parseTestCounts(pieces.join('\n'));
        if (counts === null) return;
        for (const number of [counts.passed, counts.failed, counts.skipped]) {
          expect(Number.isSafeInteger(number) && number >= 0).toBe(true);
        }
      }),
    );
  });
});
