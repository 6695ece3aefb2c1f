import type { ActivityContext } from '#engine';
import type { VerifyReport, Worktree } from '#workspace';
import { countsTests, failingNames, failingTests } from '../../shared/failing-tests.js';
import { runInCleanRoom } from '../../shared/verification.js';
import type { CodingParts } from '../coding-context.js';
import { contextOf } from '../context.js';
import type { RequestPlan } from '../scoping/request-plan.js';
import type { BaseTests } from './base-tests.js';
import type { ChangedFiles } from './changed-files.js';
import { focusOn } from './focus.js';

interface Wish {
  readonly commit: string;
  readonly plan: RequestPlan;
  /** What ran on the base, with the packages that the change touches. */
  readonly baseline: VerifyReport;
  /** What ran on the result. */
  readonly seen: VerifyReport;
  readonly baseTests: BaseTests;
  readonly changed: Pick<ChangedFiles, 'oldTests' | 'newTestFiles'>;
}

export interface SeenAgain {
  readonly stillFailing: readonly string[];
  readonly flaky: readonly string[];
  /** They do not fail, but the runner finds no test if only they are selected: they no longer run. */
  readonly unseen: readonly string[];
}

/** The failures in scope decide, so they are seen twice on the result: only they, if the runner can select them. */
export async function seeScopeAgain(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, plan, baseline, seen, baseTests, changed }: Wish,
): Promise<SeenAgain> {
  const known = new Set(contextOf(activity).flakyTests ?? []);
  const scope = plan.scope.map(({ name }) => name).filter((name) => !known.has(name));
  const failing = new Set([...failingNames(seen), ...baseTests.failing]);
  // A command that fails and names no test may still fail because of this one.
  const isFailing = (name: string): boolean =>
    failing.has(name) || commandsOf(baseline, name).some((one) => failing.has(one));
  const stillFailing = scope.filter(isFailing);
  const passing = scope.filter((name) => !isFailing(name));
  if (passing.length === 0) return { stillFailing, flaky: [], unseen: [] };
  const commands = await focusOn(parts, activity, worktree, { commit, names: passing, baseline });
  // New tests may patch the code in the process of the old ones. A changed test may need them as helpers.
  const paths = changed.oldTests.length === 0 ? changed.newTestFiles : [];
  const tree = { commit, ...(paths.length > 0 && { overlays: [{ from: worktree.baseCommit, paths }] }) };
  const again = await runInCleanRoom(parts, activity, worktree, { tree, commands, step: 'scope/again', baseline });
  const failsNow = failingNames(again);
  // Tests that the change moved or removed were seen in their old form.
  const isUnseen = commands !== null && !baseTests.wereRun && countsTests(baseline) && !countsTests(again);
  return {
    stillFailing,
    flaky: passing.filter((name) => failsNow.has(name)),
    unseen: isUnseen ? passing.filter((name) => !failsNow.has(name)) : [],
  };
}

/** The verify commands that reported this failure. A failing command that names no test has its own name. */
const commandsOf = (baseline: VerifyReport, name: string): readonly string[] =>
  failingTests(baseline)
    .filter((one) => one.name === name)
    .map(({ command }) => command);
