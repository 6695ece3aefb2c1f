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
 * The command of a step, run twice on what the step left. A run that passed before the step as well, or that runs what the
 * step has written itself, would pass whatever was done: its exit code alone is no proof. Mixed results are none either.
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
  const first = await on(commit, 'check', 'step.checked');
  const again = await on(commit, 'check/again', 'step.checked');
  const run = [first, again].find((one) => whyNot(one) === null);
  if (!run) return { run: first, why: whyNot(first), doubts: [] };
  const isMixed = [first, again].some((one) => whyNot(one) !== null);
  const before = isMixed ? [] : await runBefore((nth) => on(from, nth, 'step.checked-before'));
  const hasRunTests = run.tests !== undefined;
  const own = await changedUnderCommand(parts, activity, worktree, { command, from, commit, hasRunTests });
  const doubts = [
    ...(isMixed ? ['it passes and fails on the same files'] : []),
    ...describeBaseDoubts(before),
    ...(own.length > 0 ? [`the step changed what it runs: ${own.slice(0, MOST_NAMES).join(', ')}`] : []),
  ];
  return { run, why: null, doubts };
}

/** One that passes is doubt enough. */
async function runBefore(run: (step: string) => Promise<Evidence>): Promise<readonly Evidence[]> {
  const first = await run('check-before');
  return whyNot(first) === null ? [first] : [first, await run('check-before/again')];
}

function describeBaseDoubts(runs: readonly Evidence[]): readonly string[] {
  const passed = runs.filter((one) => whyNot(one) === null);
  if (passed.length === 0) return [];
  return [
    passed.length === runs.length
      ? 'it held before the step as well'
      : 'it passed and failed on the files before the step',
  ];
}

function whyNot({ exitCode, endedBy, tests }: Evidence): string | null {
  if (endedBy !== 'itself') return `its command was ended by ${endedBy}`;
  if (exitCode !== 0) return `its command fails with exit code ${String(exitCode)}`;
  const doubt = tests ? doubtAboutTests(tests) : null;
  return doubt && `its command exits with 0, but ${doubt}`;
}
