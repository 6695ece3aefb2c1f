import type { ActivityContext } from '#engine';
import { combineRuns } from '#proof';
import type { VerifyReport, Worktree } from '#workspace';
import { countsTests, failingNames, failingTests } from '../../shared/failing-tests.js';
import { runInCleanRoom } from '../../shared/verification.js';
import { baselineOf } from '../../shared/work-parts.js';
import type { CodingParts } from '../coding-context.js';
import { contextOf } from '../context.js';
import { focusOn } from '../proof/focus.js';

/** Failing tests of the baseline that pass the second time. Only the failing ones run again, if the runner can do that. */
export async function findFlakyTests(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<readonly string[]> {
  const known = contextOf(activity).flakyTests ?? [];
  const baseline = baselineOf(activity);
  const failing = baseline ? failingTests(baseline).map(({ name }) => name) : [];
  if (failing.length === 0) return known;
  const commit = worktree.baseCommit;
  const commands = await focusOn(parts, activity, worktree, { commit, names: failing, baseline });
  const run = (some: readonly string[] | null, step: string): Promise<VerifyReport> =>
    runInCleanRoom(parts, activity, worktree, { tree: { commit }, commands: some, step });
  const focused = await run(commands, 'baseline/again');
  // A selection that finds no test says nothing about the tests.
  const isEmpty = countsTests(baseline) && !countsTests(focused);
  const again = isEmpty && commands !== null ? await run(null, 'baseline/again/whole') : focused;
  if (countsTests(baseline) && !countsTests(again)) return known;
  const { flaky } = combineRuns([
    { failing },
    { failing: [...failingNames(again)].filter((name) => failing.includes(name)) },
  ]);
  return [...new Set([...known, ...flaky])];
}
