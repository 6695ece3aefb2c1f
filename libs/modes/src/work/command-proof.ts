import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { doubtAboutTests, gatherEvidence } from '../coding/run-evidence.js';
import type { Evidence } from '../coding/scenario.js';
import { changedUnderCommand } from './changed-under-command.js';
import type { WorkModeParts } from './work-context.js';

interface Wish {
  readonly command: string;
  /** The last good commit before the step. */
  readonly from: string;
  readonly commit: string;
}

/** What the service saw of a command that checks a step. */
export interface CommandProof {
  readonly run: Evidence;
  /** Why it does not hold; null where it does. */
  readonly why: string | null;
  /** Why that it holds proves nothing by itself. */
  readonly doubts: readonly string[];
}

const MOST_NAMES = 5;

/**
 * The command of a step, run on what the step left. One that held before the step as well, or runs what the step has
 * written itself, would hold whatever was done: its exit code alone is no proof.
 */
export async function provenByCommand(
  parts: WorkModeParts,
  activity: ActivityContext,
  worktree: Worktree,
  { command, from, commit }: Wish,
): Promise<CommandProof> {
  const on = async (at: string, step: string, event: string): Promise<Evidence> => {
    const tree = await parts.worktrees.tree(worktree, at);
    return gatherEvidence(parts, activity, { worktree, commit: at, tree, command, step, event });
  };
  const run = await on(commit, 'check', 'step.checked');
  const why = whyNot(run);
  if (why !== null) return { run, why, doubts: [] };
  const before = await on(from, 'check-before', 'step.checked-before');
  const hasRunTests = run.tests !== undefined;
  const own = await changedUnderCommand(parts, activity, worktree, { command, from, commit, hasRunTests });
  const doubts = [
    ...(whyNot(before) === null ? ['it held before the step as well'] : []),
    ...(own.length > 0 ? [`the step changed what it runs: ${own.slice(0, MOST_NAMES).join(', ')}`] : []),
  ];
  return { run, why, doubts };
}

function whyNot({ exitCode, endedBy, tests }: Evidence): string | null {
  if (endedBy !== 'itself') return `its command was ended by ${endedBy}`;
  if (exitCode !== 0) return `its command fails with exit code ${String(exitCode)}`;
  const doubt = tests ? doubtAboutTests(tests) : null;
  return doubt && `its command exits with 0, but ${doubt}`;
}
