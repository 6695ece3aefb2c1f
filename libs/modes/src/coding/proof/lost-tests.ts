import { normaliseError } from '#self-heal';
import { testsRun, type VerifyReport } from '#workspace';

interface Given {
  readonly baseline: Pick<VerifyReport, 'counts'>;
  readonly result: Pick<VerifyReport, 'counts'>;
  readonly newFiles: readonly string[];
}

/** Test files of the base that run no test on the result: they may end before their tests begin. */
export function findEmptiedFiles({ baseline, result, newFiles }: Given): readonly string[] {
  const before = new Set(baseline.counts?.emptyFiles?.map((name) => normaliseError(name)));
  const isNew = (name: string): boolean =>
    newFiles.some((path) => `/${path}`.endsWith(`/${name}`) || name.endsWith(`/${path}`));
  return (result.counts?.emptyFiles ?? []).filter((name) => !before.has(normaliseError(name)) && !isNew(name));
}

/** Tests that are missing on the result. Only for runs in which all test files of the base are as they were. */
export function countMissingTests({ baseline, result }: Omit<Given, 'newFiles'>): readonly string[] {
  if (!baseline.counts || !result.counts || baseline.counts.isMinimum || result.counts.isMinimum) return [];
  const [before, now] = [testsRun(baseline.counts), testsRun(result.counts)];
  return now < before ? [`${String(before - now)} of ${String(before)} tests`] : [];
}
