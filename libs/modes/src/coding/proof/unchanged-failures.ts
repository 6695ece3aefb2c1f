import { splitByFailure } from '#proof';
import { normaliseError } from '#self-heal';
import type { VerifyReport } from '#workspace';
import { type FailingTest, failingTests } from '../../shared/failing-tests.js';

/** Failures that print the same errors as they did in the baseline. */
export function findUnchanged(failing: readonly FailingTest[], baseline: VerifyReport | null): readonly FailingTest[] {
  const before = baseline ? readErrors(failingTests(baseline)) : new Map<string, string>();
  const now = readErrors(failing);
  return failing.filter(({ name }) => before.has(name) && before.get(name) === now.get(name));
}

/** Lines that name tests or count them. They change if other tests come or go. */
const LISTING = /^\s*(?:(?:not )?ok\b|[✔✖✓✗√×●#ℹ]|\d+\)|PASS\b|FAIL\b|---|=+|tests?\b)/i;
const ERROR = /Error\b|\bexpected|\bactual|\breceived|\bassert|\bpanic|Exception\b/i;

/** By name: the lines about what went wrong, each once. Tests of several packages may share a name. */
function readErrors(tests: readonly FailingTest[]): ReadonlyMap<string, string> {
  const failures = [...Map.groupBy(tests, ({ output }) => output)].flatMap(([output, some]) =>
    splitByFailure(
      output,
      some.map(({ name }) => name),
    ),
  );
  return new Map(
    [...Map.groupBy(failures, ({ name }) => name)].map(([name, some]) => {
      const lines = some
        .flatMap(({ output }) => normaliseError(output).split('\n'))
        .filter((line) => ERROR.test(line) && !LISTING.test(line));
      return [name, [...new Set(lines)].sort().join('\n')];
    }),
  );
}
