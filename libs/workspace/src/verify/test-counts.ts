import { linesOf } from './output-lines.js';
import { prefixedLine } from './package-prefix.js';
import { cargoReader } from './runners/cargo.js';
import { goJsonReader } from './runners/go-json.js';
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
  goJsonReader,
  cargoReader,
  surefireReader,
];

/** So many packages have readers of their own; those beyond share theirs. */
const MOST_PACKAGES = 256;

/**
 * What the known test runners say about themselves in an output; null where none does. Summaries add up: a script that
 * runs two runners, or one of them once for each package, ran all of their tests. The lines of packages that were run
 * side by side stand among each other, so each is listened to apart.
 *
 * Counts are evidence against accidents (a filter that matches nothing, a script that runs no test), not against
 * malice: what runs is the repository's code, and it can print a summary of tests that never were. A forged summary
 * can make a run with exit code 0 look like one that ran tests, or, with failures in it, unproven. It cannot turn a
 * failed run into a passed one: for that the exit code alone is asked.
 */
export function parseTestCounts(output: string): TestCounts | null {
  const unprefixed = openReaders();
  const byPrefix = new Map<string, readonly CountReader[]>();
  const shared = openReaders();
  for (const line of linesOf(output)) {
    for (const reader of unprefixed) reader.read(line);
    const prefixed = prefixedLine(line);
    if (prefixed === null) continue;
    const known = byPrefix.get(prefixed.prefix);
    const readers = known ?? (byPrefix.size < MOST_PACKAGES ? openReaders() : shared);
    if (!known && readers !== shared) byPrefix.set(prefixed.prefix, readers);
    for (const reader of readers) reader.read(prefixed.rest);
  }
  const found = [unprefixed, ...byPrefix.values(), shared].flat().flatMap((reader) => {
    const counted = reader.counted();
    return counted ? [{ ...counted, runner: reader.runner }] : [];
  });
  return found.length === 0 ? null : sumOf(found);
}

const openReaders = (): readonly CountReader[] => READERS.map((open) => open());

export function sumOf(all: readonly TestCounts[]): TestCounts {
  const add = (pick: (one: TestCounts) => number): number =>
    Math.min(
      all.reduce((sum, one) => sum + pick(one), 0),
      Number.MAX_SAFE_INTEGER,
    );
  const empty = all.flatMap(({ emptyFiles = [] }) => emptyFiles);
  return {
    runner: [...new Set(all.map(({ runner }) => runner))].join(' + '),
    passed: add(({ passed }) => passed),
    failed: add(({ failed }) => failed),
    skipped: add(({ skipped }) => skipped),
    ...(all.some(({ isMinimum }) => isMinimum) && { isMinimum: true }),
    ...(empty.length > 0 && { emptyFiles: empty }),
  };
}

/** Tests that did something: a skipped one proves nothing. */
export const testsRun = ({ passed, failed }: Counted): number => passed + failed;
