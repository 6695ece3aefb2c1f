import { normaliseError } from '#self-heal';
import { hasTampered, type TestTampering, testsRun, type VerifyReport } from '#workspace';
import { judgedAgainst } from './judged-against.js';

type Counts = NonNullable<VerifyReport['counts']>;

/** Names in one sentence. */
const MOST_NAMES = 5;

/** Why a result proves nothing; null where it is a plain pass or failure. */
export function doubtAbout(
  result: VerifyReport,
  tampering: TestTampering,
  baseline: VerifyReport | null,
): string | null {
  if (result.verdict === 'unproven') return result.reason;
  if (result.verdict === 'failed') {
    const hasFailedBefore = baseline?.verdict === 'failed' && judgedAgainst(baseline, result).isNoWorse;
    return hasFailedBefore ? 'the tests failed before the change too, and fail no worse now' : null;
  }
  const doubts = [
    ...doubtsAboutDiff(tampering, hadTests(result, baseline)),
    ...doubtsAboutFirstTests(result, tampering, baseline),
    ...doubtsAboutCommands(result, baseline),
    ...doubtsAboutCounts(result, baseline, tampering),
  ];
  return doubts.length === 0 ? null : doubts.join('. ');
}

function doubtsAboutDiff(tampering: TestTampering, hadTests: boolean): readonly string[] {
  const { unread, isComplete, verification = [] } = tampering;
  const runnerFiles = [...tampering.runnerFiles, ...(hadTests ? (tampering.newRunnerFiles ?? []) : [])];
  const gutted = tampering.weakened.filter(({ removed, added }) => removed > 2 * added).map(({ file }) => file);
  return [
    ...(hasTampered(tampering) ? [`tests were removed or skipped: ${some(namesOf(tampering))}`] : []),
    ...(gutted.length > 0 ? [`tests assert far less than before: ${some(gutted)}`] : []),
    ...(runnerFiles.length > 0 ? [`which tests are run was changed: ${some(runnerFiles)}`] : []),
    ...(verification.length > 0 ? [`what a verify command runs was changed: ${some(verification)}`] : []),
    ...(unread.length > 0 ? [`lines too long to be looked at: ${some(unread)}`] : []),
    ...(isComplete ? [] : ['the tests were changed in more places than can be looked at']),
  ];
}

/** A test that asserts nothing is only there to be counted. */
function doubtsAboutFirstTests(
  result: VerifyReport,
  { assertions }: TestTampering,
  baseline: VerifyReport | null,
): readonly string[] {
  const areFirst = baseline?.verdict === 'unproven' && !hadTests(result, baseline);
  return areFirst && assertions === 0 ? ['there were no tests before, and the new ones assert nothing'] : [];
}

/** The first tests of a repository often come with the file that says how they are run. */
function hadTests({ commands }: VerifyReport, baseline: VerifyReport | null): boolean {
  if (baseline === null) return true;
  const { counts } = baseline;
  if (counts !== null) return testsRun(counts) + counts.skipped > 0 || counts.isMinimum === true;
  // A command that runs tests now may have run some before that nobody counted.
  const counted = new Set(commands.filter((one) => one.counts !== null).map(({ command }) => command));
  return baseline.commands.some(({ command }) => counted.has(command));
}

/** Where nobody named them they are found in the files, which may say less now. */
export const goneCommands = ({ commands }: VerifyReport, baseline: VerifyReport | null): readonly string[] =>
  (baseline?.commands ?? [])
    .map(({ command }) => command)
    .filter((known) => !commands.some(({ command }) => command === known));

function doubtsAboutCommands(result: VerifyReport, baseline: VerifyReport | null): readonly string[] {
  const gone = goneCommands(result, baseline);
  return gone.length > 0 ? [`verified before the change, and no longer, by: ${some(gone)}`] : [];
}

function doubtsAboutCounts(
  { counts, commands }: VerifyReport,
  baseline: VerifyReport | null,
  { newFiles = [] }: TestTampering,
): readonly string[] {
  const before = baseline?.counts ?? null;
  if (counts === null || before === null) return [];
  const [now, then] = [testsRun(counts), testsRun(before)];
  const counted = new Set(baseline?.commands.filter((one) => one.counts !== null).map(({ command }) => command));
  const silent = commands.filter((one) => one.counts === null && counted.has(one.command));
  const empty = emptiedFiles(counts, before, newFiles);
  return [
    ...(empty.length > 0 ? [`no test ran in files that were there before: ${some(empty)}`] : []),
    ...(now < then ? [`fewer tests ran than before the change: ${instead(now, then)}`] : []),
    ...(counts.skipped > before.skipped
      ? [`more tests were skipped than before the change: ${instead(counts.skipped, before.skipped)}`]
      : []),
    ...(silent.length > 0
      ? [`reported tests before, and none now: ${some(silent.map(({ command }) => command))}`]
      : []),
  ];
}

/** A new file may be there to help others; one that was there before may end now before its tests begin. */
function emptiedFiles(now: Counts, before: Counts, newFiles: readonly string[]): readonly string[] {
  const known = new Set(before.emptyFiles?.map((name) => normaliseError(name)));
  const isNew = (name: string): boolean =>
    newFiles.some((path) => `/${path}`.endsWith(`/${name}`) || name.endsWith(`/${path}`));
  return (now.emptyFiles ?? []).filter((name) => !known.has(normaliseError(name)) && !isNew(name));
}

const instead = (now: number, then: number): string => `${String(now)} instead of ${String(then)}`;

const some = (names: readonly string[]): string => names.slice(0, MOST_NAMES).join('; ');

const namesOf = ({ removedFiles, removedTests, skippedTests }: TestTampering): readonly string[] => [
  ...removedFiles,
  ...removedTests.map(({ file, name }) => `${file}: ${name}`),
  ...skippedTests.map(({ file, line }) => `${file}: ${line}`),
];
