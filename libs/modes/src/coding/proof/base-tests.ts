import type { ActivityContext } from '#engine';
import { combineRuns } from '#proof';
import { isTestConfiguration, type VerifyReport, type Worktree } from '#workspace';
import { failingNames } from '../../shared/failing-tests.js';
import { judgedAgainst } from '../../shared/judged-against.js';
import { runInCleanRoom } from '../../shared/verification.js';
import type { CodingParts } from '../coding-context.js';
import { contextOf } from '../context.js';
import type { ChangedFiles } from './changed-files.js';
import { findMissingTests, findSilentCommands, runsAllTests } from './lost-tests.js';
import { readBaseSettings } from './base-settings.js';
import { withoutFlaky } from './verify-step.js';

export interface BaseTests {
  /** False if the change left every test of the base, and what runs them, as it was. */
  readonly wereRun: boolean;
  /** Tests of the base that passed there and fail on the result. */
  readonly newFailures: readonly string[];
  /** All tests of the base that fail on the result. */
  readonly failing: readonly string[];
  /** Tests of the base that no longer run on the result. Not known if some of them fail. */
  readonly lost: readonly string[];
  /** The same by their names. The request may contradict them. */
  readonly missing?: readonly string[];
  readonly output: string;
  /**
   * Changed settings without which tests of the base fail. With them, all tests of the base run and pass. An agent has to
   * confirm that the settings hide no failure.
   */
  readonly neededSettings?: readonly string[];
}

export const NOT_RUN: BaseTests = { wereRun: false, newFailures: [], failing: [], lost: [], output: '' };

interface Wish {
  readonly commit: string;
  readonly baseline: VerifyReport;
  readonly changed: ChangedFiles;
  /** Files that a verify command calls by name, and that the change rewrote. */
  readonly calledFiles: readonly string[];
  /** Whether tests of the base may no longer run. New tests could make up for those that are left out. */
  readonly mayLackTests?: boolean;
}

/** The base's own tests and what runs them, on the result's sources. Only needed if the change touched them. */
export async function runBaseTests(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, baseline, changed, calledFiles, mayLackTests = false }: Wish,
): Promise<BaseTests> {
  const commands = baseline.commands.map(({ command }) => command);
  const files = await readBaseSettings(parts, activity, worktree, { commit, baseline, changed });
  const touched = [...changed.oldTests, ...changed.newTestConfiguration, ...calledFiles];
  const needsCount = mayLackTests && changed.newTestFiles.length > 0;
  if (commands.length === 0 || (touched.length + files.length === 0 && !needsCount)) return NOT_RUN;
  // New tests may need what is taken back here, and would make up for tests that no longer run.
  const paths = [...new Set([...touched, ...changed.newTestFiles])];
  const tree = { commit, overlays: [{ from: worktree.baseCommit, paths }], ...(files.length > 0 && { files }) };
  const run = (step: string): Promise<VerifyReport> =>
    runInCleanRoom(parts, activity, worktree, { tree, commands, step, baseline });
  const first = await run('base-tests');
  const known = contextOf(activity).flakyTests ?? [];
  const seen = withoutFlaky(judgedAgainst(baseline, first), known);
  if (seen.isNoWorse) {
    const { counted, named: missing } = findMissingTests({ baseline, result: first });
    const lost = [...findSilentCommands(baseline, first), ...counted];
    return { wereRun: true, newFailures: [], failing: [...failingNames(first)], lost, missing, output: '' };
  }
  const second = await run('base-tests/again');
  const { failing, flaky } = combineRuns([first, second].map((report) => ({ failing: [...failingNames(report)] })));
  const { newFailures } = withoutFlaky(judgedAgainst(baseline, second), [...known, ...flaky]);
  const output = second.commands.map(({ command, output: text }) => `$ ${command}\n${text}`).join('\n');
  const neededSettings = [
    ...new Set([...files.map(({ path }) => path), ...touched.filter((path) => isTestConfiguration(path))]),
  ];
  if (newFailures.length > 0 && neededSettings.length > 0 && calledFiles.length === 0) {
    // Only what says how tests run is of the result now. The tests themselves are still of the base.
    const tests = paths.filter((path) => !neededSettings.includes(path));
    const own = { commit, overlays: [{ from: worktree.baseCommit, paths: tests }] };
    const third = await runInCleanRoom(parts, activity, worktree, {
      ...{ tree: own, commands, step: 'base-tests/new-settings', baseline },
    });
    if (runsAllTests({ baseline, result: third }) && withoutFlaky(judgedAgainst(baseline, third), known).isNoWorse) {
      return { ...NOT_RUN, wereRun: true, failing: [...failingNames(third)], neededSettings };
    }
  }
  return { wereRun: true, newFailures, failing, lost: [], output };
}
