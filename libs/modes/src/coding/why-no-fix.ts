import type { Comparison } from '#self-heal';
import { goneCommands } from '../shared/doubt.js';
import { hasTampered, type TestTampering, testsRun, type VerifyReport } from '#workspace';

interface Facts {
  readonly comparison: Comparison;
  readonly result: VerifyReport;
  readonly tampering: TestTampering;
  readonly baseline: VerifyReport | null;
  /** What showed the problem. */
  readonly found?: VerifyReport | null;
  readonly hasChanged: boolean;
  /** Whether the change of the task was taken back before: then nothing fails, and nothing is done either. */
  readonly isRolledBack: boolean;
}

/** Why an attempt does not count as a fix, for the next one to read; null where it does. */
export function whyNoFix({
  comparison,
  result,
  tampering,
  baseline,
  found,
  hasChanged,
  isRolledBack,
}: Facts): string | null {
  if (hasTampered(tampering)) {
    const { removedFiles, removedTests, skippedTests } = tampering;
    const names = [...removedFiles, ...removedTests.map(({ name }) => name), ...skippedTests.map(({ file }) => file)];
    return `tests were removed or skipped: ${names.slice(0, 5).join('; ')}`;
  }
  if (tampering.runnerFiles.length > 0)
    return `which tests are run was changed: ${tampering.runnerFiles.slice(0, 5).join('; ')}`;
  if (tampering.verification?.length)
    return `what a verify command runs was changed: ${tampering.verification.slice(0, 5).join('; ')}`;
  const gone = goneCommands(result, found ?? null);
  if (gone.length > 0) return `no longer verified by: ${gone.slice(0, 5).join('; ')}`;
  if (isRolledBack && !hasChanged) return 'the task was to be done anew, and nothing was changed';
  if (!comparison.isNoWorse) {
    const failures = comparison.newFailures.slice(0, 5).join('; ');
    const nothing = hasChanged ? '' : 'nothing was changed; ';
    return `${nothing}${failures === '' ? result.reason : `still failing: ${failures}`}`;
  }
  if (result.counts !== null && testsRun(result.counts) === 0) return 'no test ran';
  if (result.counts === null && (baseline?.counts ?? null) !== null) return 'tests were reported before, and none now';
  return null;
}
