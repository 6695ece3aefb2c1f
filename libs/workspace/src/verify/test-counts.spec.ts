import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as javascript from './runners/recorded-javascript.fixture.js';
import * as node from './runners/recorded-node.fixture.js';
import * as others from './runners/recorded-others.fixture.js';
import * as packages from './runners/recorded-packages.fixture.js';
import { parseTestCounts, testsRun } from './test-counts.js';

type Row = readonly [output: keyof typeof recorded, runner: string, passed: number, failed: number, skipped: number];

const recorded = { ...node, ...javascript, ...others, ...packages };

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
  ['SUREFIRE_FLAKES', 'surefire', 3, 0, 0],
  ['GO_JSON_FAILED', 'go test', 3, 1, 1],
  ['GO_JSON_NONE', 'go test', 0, 0, 0],
  ['GO_JSON_NOT_BUILT', 'go test', 0, 1, 0],
  ['PNPM_RECURSIVE', 'vitest', 5, 1, 1],
  ['TURBO', 'jest + tap', 6, 0, 1],
  ['YARN_FOREACH', 'unittest', 5, 0, 1],
  ['LERNA_STREAM', 'mocha + jest', 4, 0, 0],
];

describe('the number of tests in an output', () => {
  it.each(ROWS)('%s: %s with %i passed, %i failed, %i skipped', (output, runner, passed, failed, skipped) => {
    expect({ ...parseTestCounts(recorded[output]), emptyFiles: undefined }).toEqual({
      runner,
      passed,
      failed,
      skipped,
    });
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

  it('names the files in which node found no test', () => {
    const names = (output: string): unknown => parseTestCounts(output)?.emptyFiles;
    expect(names(`${node.NODE_SPEC_EMPTY_BESIDE}\n${node.NODE_TAP_EMPTY_BESIDE}`)).toEqual([
      'empty.test.mjs',
      'empty.test.mjs',
    ]);
    expect(names(node.NODE_TAP_PASSED)).toBeUndefined();
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
      `${'a'.repeat(200)} ${'a:'.repeat(100)}`,
      `${'a: '.repeat(150)}`,
      `[${'a'.repeat(199)}]${': '.repeat(100)}`,
      `{"Action":"pass","Package":"${'a'.repeat(300)}","Test":"${'a'.repeat(100)}`,
      `Tests run: 1, Failures: 0, Errors: 0, Skipped: 0${', Flakes: 1'.repeat(40)}`,
    ].join('\n');
    expect(parseTestCounts(`${nearly}\n`.repeat(5_000))).toBeNull();
    const prefixed = Array.from({ length: 100_000 }, (_, nth) => `p${String(nth)} test: Ran 1 tests`);
    expect(parseTestCounts(prefixed.join('\n'))).toBeNull();
  });

  const PREFIXES = [
    'packages/a test: ',
    '. test:unit: ',
    'a:test: ',
    '@x/a:test:unit: ',
    '[a]: ',
    '[@x/a]: ',
    'a: ',
    '@x/a: ',
  ];
  const single = Object.values({ ...node, ...javascript, ...others, GO: packages.GO_JSON_FAILED });
  const anyOutput = fc.nat().map((n) => single[n % single.length] ?? '');

  it('is the same behind the name of a package', () => {
    for (const output of single) {
      for (const prefix of PREFIXES) {
        expect(parseTestCounts(output.replaceAll(/^/gm, prefix))).toEqual(parseTestCounts(output));
      }
    }
  });

  it('is the sum over packages, however their lines stand among each other', () => {
    const three = fc.tuple(
      fc.shuffledSubarray(PREFIXES, { minLength: 3, maxLength: 3 }),
      fc.tuple(anyOutput, anyOutput, anyOutput),
    );
    fc.assert(
      fc.property(three, fc.infiniteStream(fc.nat({ max: 2 })), ([prefixes, outputs], turns) => {
        const waiting = outputs.map((output, nth) => output.split('\n').map((line) => `${prefixes[nth] ?? ''}${line}`));
        const lines: string[] = [];
        for (const turn of turns) {
          const next = [...waiting.slice(turn), ...waiting].find((one) => one.length > 0)?.shift();
          if (next === undefined) break;
          lines.push(next);
        }
        const all = outputs.map((output) => parseTestCounts(output));
        const sum = (of: 'passed' | 'failed' | 'skipped') => all.reduce((total, one) => total + (one?.[of] ?? 0), 0);
        const found = parseTestCounts(lines.join('\n'));
        expect(found === null).toBe(all.every((one) => one === null));
        expect([found?.passed ?? 0, found?.failed ?? 0, found?.skipped ?? 0]).toEqual([
          sum('passed'),
          sum('failed'),
          sum('skipped'),
        ]);
      }),
    );
  });

  it('is read behind any number of names, those of packages and others', () => {
    const names = Array.from(
      { length: 2_000 },
      (_, nth) => `packages/${String(nth)} test: Tests:       2 passed, 2 total`,
    );
    expect(parseTestCounts(names.join('\n'))).toMatchObject({ passed: 4_000 });
  });

  it('is not what stands behind any other text', () => {
    expect(
      parseTestCounts('and it says: Tests:       2 passed, 2 total\nsaid,Tests:       2 passed, 2 total'),
    ).toBeNull();
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
