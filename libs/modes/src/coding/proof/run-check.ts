import type { ActivityContext } from '#engine';
import { classifyRun, type RunKind } from '#proof';
import type { CleanTree, VerifyReport, Worktree } from '#workspace';
import { findFailedSetup, runInCleanRoom } from '../../shared/verification.js';
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
export async function runCheck(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { check, commit, step }: Wish,
): Promise<CheckRun> {
  const { commands, reason } = await runInCleanRoom(parts, activity, worktree, {
    tree: treeOfCheck({ commit }, check),
    commands: [check.command],
    step,
  });
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
