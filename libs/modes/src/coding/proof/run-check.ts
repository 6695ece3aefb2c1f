import type { ActivityContext } from '#engine';
import { classifyRun, type RunKind } from '#proof';
import type { CleanTree, VerifyReport, Worktree } from '#workspace';
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
  readonly check: Pick<Check, 'command' | 'files'>;
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
  return run(parts, activity, worktree, { tree, commands: [check.command], step });
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
): Promise<CheckRun> {
  const { commands, reason } = await runInCleanRoom(parts, activity, worktree, wish);
  const [ran] = commands;
  if (!ran) return { isGreen: false, exitCode: null, endedBy: 'nothing', output: reason };
  const { exitCode, endedBy, output } = ran;
  return { isGreen: kindOfCheckRun(ran).kind === 'green', exitCode, endedBy, output };
}

/** What a check sees. The history would tell base from result, whatever the program does. */
export const treeOfCheck = (tree: CleanTree, { files }: Pick<Check, 'files'>): CleanTree => ({
  ...tree,
  files,
  isWithoutGit: true,
});

/** How a run of a check ended. A script that loses the exit code of its tests still prints how they went. */
export function kindOfCheckRun(ran: VerifyReport['commands'][number]): RunKind {
  const kind = classifyRun(ran);
  return kind.kind === 'green' && (ran.counts?.failed ?? 0) > 0 ? { kind: 'assertion' } : kind;
}

/** The same for the whole report of one check. Without a run of its command it is broken, as after a failed set-up. */
export function kindOfCheckReport(report: VerifyReport): RunKind {
  const [ran] = report.commands;
  return ran && !findFailedSetup(report) ? kindOfCheckRun(ran) : { kind: 'broken', reason: report.reason };
}
