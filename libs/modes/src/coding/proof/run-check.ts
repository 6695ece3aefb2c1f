import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { runInCleanRoom } from '../../shared/verification.js';
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
    tree: { commit, files: check.files },
    commands: [check.command],
    step,
  });
  const [ran] = commands;
  if (!ran) return { isGreen: false, exitCode: null, endedBy: 'nothing', output: reason };
  const { exitCode, endedBy, output, counts } = ran;
  // A script that loses the exit code of its tests still prints how they went.
  const hasFailed = (counts?.failed ?? 0) > 0;
  return { isGreen: exitCode === 0 && endedBy === 'itself' && !hasFailed, exitCode, endedBy, output };
}
