import type { Comparison } from '#self-heal';
import { hasTampered, type TestTampering, testsRun, type VerifyReport } from '#workspace';
import { listGoneCommands } from '../shared/gone-commands.js';

interface Facts {
  readonly comparison: Comparison;
  readonly result: VerifyReport;
  /** Without the tests that the request contradicts. */
  readonly tampering: TestTampering;
  readonly baseline: VerifyReport | null;
  /** What showed the problem. */
  readonly found?: VerifyReport | null;
  readonly hasChanged: boolean;
  /** Whether the change of the task was taken back before: then nothing fails, and nothing is done either. */
  readonly isRolledBack: boolean;
  /** Whether the attempt took back all that the task had changed. */
  readonly isUndone: boolean;
}

/** Why an attempt does not count as a fix, for the next one to read; null if it does. */
export function whyNoFix(facts: Facts): string | null {
  const { comparison, result, tampering, baseline, found, hasChanged, isRolledBack, isUndone } = facts;
  if (hasTampered(tampering)) {
    const { removedFiles, removedTests, skippedTests } = tampering;
    const names = [...removedFiles, ...removedTests.map(({ name }) => name), ...skippedTests.map(({ file }) => file)];
    return `tests were removed or skipped, and the request does not ask for that: ${names.slice(0, 5).join('; ')}`;
  }
  const gone = listGoneCommands(result, found ?? null);
  if (gone.length > 0) return `these verify commands no longer run: ${gone.slice(0, 5).join('; ')}`;
  if (isUndone) return 'it removed the change of the task, which must stay done';
  if (isRolledBack && !hasChanged) return 'the task had to be done again, and nothing was changed';
  if (!comparison.isNoWorse) {
    const failures = comparison.newFailures.slice(0, 5).join('; ');
    const nothing = hasChanged ? '' : 'nothing was changed; ';
    return `${nothing}${failures === '' ? result.reason : `still failing: ${failures}`}`;
  }
  if (result.counts !== null && testsRun(result.counts) === 0) return 'no test ran';
  if (result.counts === null && (baseline?.counts ?? null) !== null)
    return 'the verify commands reported tests before, and report none now';
  return null;
}
