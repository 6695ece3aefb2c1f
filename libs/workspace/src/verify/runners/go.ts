import type { CountReader, Counted } from './reader.js';

/** Not the indented ones: those are parts of a test that has a line of its own. */
const TEST = /^--- (PASS|FAIL|SKIP): (?:Test|Example|Fuzz)/;
const PACKAGE = /^(ok|FAIL|\?) {0,3}\t([^\t ]{1,300})(?:[\t ](.{0,200}))?$/;
const NO_TESTS = /\[no test(?:s to run| files)\]/;
const NOT_BUILT = /\[(?:build|setup) failed\]/;

/**
 * With -v each test has a line. Without it a package that passed is one line without a number, the same whether its
 * tests passed or were all skipped: it counts for nothing, and the number is a minimum.
 */
export function goReader(): CountReader {
  const total = { passed: 0, failed: 0, skipped: 0 };
  let testsOfPackage = 0;
  let isThere = false;
  let isMinimum = false;
  const endPackage = (verdict: string, rest: string): void => {
    isThere = true;
    if (verdict === 'ok' && testsOfPackage === 0 && !NO_TESTS.test(rest)) isMinimum = true;
    if (verdict === 'FAIL' && (testsOfPackage === 0 || NOT_BUILT.test(rest))) total.failed += 1;
    // Failed tests have a line even without -v; those that passed beside them have not.
    testsOfPackage = 0;
  };
  return {
    runner: 'go test',
    read: (line) => {
      const test = TEST.exec(line)?.[1];
      if (test !== undefined) {
        testsOfPackage += 1;
        if (test === 'PASS') total.passed += 1;
        else if (test === 'FAIL') total.failed += 1;
        else total.skipped += 1;
        return;
      }
      const ended = PACKAGE.exec(line);
      if (ended?.[1] !== undefined) endPackage(ended[1], ended[3] ?? '');
    },
    counted: (): Counted | null => (isThere ? { ...total, ...(isMinimum && { isMinimum }) } : null),
  };
}
