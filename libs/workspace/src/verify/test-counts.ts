import { linesOf } from './output-lines.js';
import { cargoReader } from './runners/cargo.js';
import { goReader } from './runners/go.js';
import { jestReader } from './runners/jest.js';
import { mochaReader } from './runners/mocha.js';
import { pytestReader } from './runners/pytest.js';
import type { CountReader, Counted } from './runners/reader.js';
import { surefireReader } from './runners/surefire.js';
import { tapReader } from './runners/tap.js';
import { unittestReader } from './runners/unittest.js';
import { vitestReader } from './runners/vitest.js';

/** How many tests an output speaks of. */
export interface TestCounts extends Counted {
  /** Several names where several runners reported. */
  readonly runner: string;
}

const READERS: readonly (() => CountReader)[] = [
  tapReader,
  vitestReader,
  jestReader,
  mochaReader,
  pytestReader,
  unittestReader,
  goReader,
  cargoReader,
  surefireReader,
];

/**
 * What the known test runners say about themselves in an output; null where none does. Summaries add up: a script that
 * runs two runners, or one of them once for each package, ran all of their tests.
 *
 * Counts are evidence against accidents (a filter that matches nothing, a script that runs no test), not against
 * malice: what runs is the repository's code, and it can print a summary of tests that never were. A forged summary
 * can make a run with exit code 0 look like one that ran tests, or, with failures in it, unproven. It cannot turn a
 * failed run into a passed one: for that the exit code alone is asked.
 */
export function parseTestCounts(output: string): TestCounts | null {
  const readers = READERS.map((open) => open());
  for (const line of linesOf(output)) for (const reader of readers) reader.read(line);
  const found = readers.flatMap((reader) => {
    const counted = reader.counted();
    return counted ? [{ ...counted, runner: reader.runner }] : [];
  });
  return found.length === 0 ? null : sumOf(found);
}

export function sumOf(all: readonly TestCounts[]): TestCounts {
  const add = (pick: (one: TestCounts) => number): number =>
    Math.min(
      all.reduce((sum, one) => sum + pick(one), 0),
      Number.MAX_SAFE_INTEGER,
    );
  return {
    runner: [...new Set(all.map(({ runner }) => runner))].join(' + '),
    passed: add(({ passed }) => passed),
    failed: add(({ failed }) => failed),
    skipped: add(({ skipped }) => skipped),
    ...(all.some(({ isMinimum }) => isMinimum) && { isMinimum: true }),
  };
}

/** Tests that did something: a skipped one proves nothing. */
export const testsRun = ({ passed, failed }: Counted): number => passed + failed;
