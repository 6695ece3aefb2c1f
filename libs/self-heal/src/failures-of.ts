import { plainLines } from '#kernel';
import { jestReader, mochaReader, nodeSpecReader, tapReader, vitestReader } from './failures/javascript.js';
import {
  cargoReader,
  diagnosticReader,
  goReader,
  pytestReader,
  surefireReader,
  unittestReader,
} from './failures/others.js';
import type { FailureReader } from './failures/reader.js';
import { normaliseError } from './normalise-error.js';

/** More than is kept of an output. */
const MOST_READ = 256 * 1024;
const LONGEST_LINE = 500;
export const MOST_FAILURES = 500;

const RUNNERS: readonly (() => FailureReader)[] = [
  tapReader,
  nodeSpecReader,
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
 * The names of failing tests as known runners print them, each once, without what differs from run to run; where none
 * is named, what a compiler complains of. A name is only as good as what was printed: tests of the same name in two
 * suites may be one here.
 */
export function failuresOf(output: string): readonly string[] {
  const lines = plainLines(output, MOST_READ)
    .map((line) => line.trimEnd())
    .filter((line) => line.length <= LONGEST_LINE);
  const tests = namesIn(lines, RUNNERS);
  return tests.length > 0 ? tests : namesIn(lines, [diagnosticReader]);
}

function namesIn(lines: readonly string[], runners: readonly (() => FailureReader)[]): string[] {
  const names = new Set<string>();
  for (const open of runners) {
    const reader = open();
    for (const line of lines) reader.read(line);
    for (const name of reader.names()) {
      if (names.size === MOST_FAILURES) break;
      const normal = normaliseError(name).replaceAll('\n', ' ');
      if (normal !== '') names.add(normal);
    }
  }
  return [...names];
}
