import { normaliseError } from '#self-heal';
import { testsRun, type VerifyReport } from '#workspace';

type Counts = Pick<VerifyReport, 'counts'>;
type Commands = { readonly commands: readonly Pick<VerifyReport['commands'][number], 'command' | 'counts'>[] };

interface Given {
  readonly baseline: Counts;
  readonly result: Counts;
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

/** Commands that reported tests on the base, and none on the result: the code may end the run before its tests end. */
export function findSilentCommands(baseline: Commands, result: Commands): readonly string[] {
  const hasRun = ({ counts }: Commands['commands'][number]): boolean => counts !== null && testsRun(counts) > 0;
  const silent = new Set(result.commands.filter((ran) => !hasRun(ran)).map(({ command }) => command));
  return baseline.commands
    .filter((ran) => hasRun(ran) && silent.has(ran.command))
    .map(({ command }) => `the tests of ${command}`);
}
