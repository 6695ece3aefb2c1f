import type { ActivityContext } from '#engine';
import { classifyRun, type RunKind } from '#proof';
import { type CleanTree, testsRun, type VerifyReport, type Worktree } from '#workspace';
import { type CleanRunWish, findFailedSetup, runInCleanRoom } from '../../shared/verification.js';
import type { CodingParts } from '../coding-context.js';
import type { Check } from '../scoping/request-plan.js';

export interface CheckRun {
  readonly isGreen: boolean;
  readonly exitCode: number | null;
  readonly endedBy: string;
  readonly output: string;
}

interface Wish {
  readonly check: Pick<Check, 'command' | 'files' | 'hasTests'>;
  readonly commit: string;
  readonly step: string;
}

/** One run of a check on a commit, in the clean room. */
export const runCheck = (
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { check, commit, step }: Wish,
): Promise<CheckRun> => {
  const tree = treeOfCheck({ commit }, check);
  return run(parts, activity, worktree, { tree, commands: [check.command], step }, check.hasTests);
};

/** Two runs of a scenario's command on a commit, as UAT makes them. */
export async function runScenario(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { command, commit, step }: { readonly command: string; readonly commit: string; readonly step: string },
): Promise<readonly [CheckRun, CheckRun]> {
  const wish = { tree: { commit }, commands: [command] };
  const first = await run(parts, activity, worktree, { ...wish, step });
  return [first, await run(parts, activity, worktree, { ...wish, step: `${step}/again` })];
}

async function run(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  wish: CleanRunWish,
  hasTests = false,
): Promise<CheckRun> {
  const { commands, reason } = await runInCleanRoom(parts, activity, worktree, wish);
  const [ran] = commands;
  if (!ran) return { isGreen: false, exitCode: null, endedBy: 'nothing', output: reason };
  const { exitCode, endedBy, output } = ran;
  return { isGreen: kindOfCheckRun(ran, hasTests).kind === 'green', exitCode, endedBy, output };
}

/** The files that a check sees. With the git history it could tell base and result apart, whatever the program does. */
export const treeOfCheck = (tree: CleanTree, { files }: Pick<Check, 'files'>): CleanTree => ({
  ...tree,
  files: [...(tree.files ?? []), ...files],
  isWithoutGit: true,
});

/**
 * How a run of a check ended. A script that loses the exit code of its tests still prints how they went. With
 * `hasTests` a runner has to report tests: code that ends the process, or settings that leave the check out, would make
 * it green without one.
 */
export function kindOfCheckRun(ran: VerifyReport['commands'][number], hasTests = false): RunKind {
  const kind = classifyRun(ran);
  if (kind.kind !== 'green') return kind;
  const { counts } = ran;
  if ((counts?.failed ?? 0) > 0) return { kind: 'assertion' };
  const hasPassed = counts === null ? !hasTests : testsRun(counts) > 0;
  return hasPassed ? kind : { kind: 'broken', reason: 'The check ended well, but none of its tests ran.' };
}

/** The same for the whole report of one check. Without a run of its command it is broken, as after a failed set-up. */
export function kindOfCheckReport(report: VerifyReport, hasTests = false): RunKind {
  const [ran] = report.commands;
  return ran && !findFailedSetup(report) ? kindOfCheckRun(ran, hasTests) : { kind: 'broken', reason: report.reason };
}
