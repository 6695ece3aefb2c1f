import { findMissingTitles } from '#proof';
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

interface Reports {
  readonly baseline: VerifyReport;
  readonly result: VerifyReport;
}

export interface MissingTests {
  /** Numbers of tests that no runner names. */
  readonly counted: readonly string[];
  /** Names of tests that no longer run. The request may contradict them. */
  readonly named: readonly string[];
}

export const NONE_MISSING: MissingTests = { counted: [], named: [] };

/** The same with the names of the tests, if the runners print them. */
export function findMissingTests({ baseline, result }: Reports): MissingTests {
  const counted = countMissingTests({ baseline, result });
  if (counted.length === 0 || !baseline.counts || !result.counts) return NONE_MISSING;
  const missing = testsRun(baseline.counts) - testsRun(result.counts);
  const named = findMissingTitles({ before: outputsOf(baseline), now: outputsOf(result) }, missing);
  return named ? { counted: [], named } : { counted, named: [] };
}

/** Whether a runner named a test before that it no longer names. Names may hold a date: only a count without new tests decides. */
export const lacksTitles = ({ baseline, result }: Reports): boolean =>
  (findMissingTitles({ before: outputsOf(baseline), now: outputsOf(result) }, 1) ?? []).length > 0;

/** Whether as many tests ran, and each test that a runner named before is named again. */
export function runsAllTests({ baseline, result }: Reports): boolean {
  if (!baseline.counts || !result.counts || baseline.counts.isMinimum) return false;
  const titles = findMissingTitles({ before: outputsOf(baseline), now: outputsOf(result) }, 0) ?? [];
  const silent = findSilentCommands(baseline, result);
  return [...countMissingTests({ baseline, result }), ...titles, ...silent].length === 0;
}

const outputsOf = ({ commands }: VerifyReport): readonly string[] => commands.map(({ output }) => output);

/** Commands that reported tests on the base, and none on the result: the code may end the run before its tests end. */
export function findSilentCommands(baseline: Commands, result: Commands): readonly string[] {
  const hasRun = ({ counts }: Commands['commands'][number]): boolean => counts !== null && testsRun(counts) > 0;
  const silent = new Set(result.commands.filter((ran) => !hasRun(ran)).map(({ command }) => command));
  return baseline.commands
    .filter((ran) => hasRun(ran) && silent.has(ran.command))
    .map(({ command }) => `the tests of ${command}`);
}
