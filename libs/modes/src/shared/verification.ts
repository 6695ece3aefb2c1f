import type { ActivityContext } from '#engine';
import { errorCode, errorMessage, type JsonObject } from '#kernel';
import { cleanLine } from '#team';
import {
  type CleanTree,
  testTampering,
  type TestTampering,
  verifiedBy,
  type VerifyReport,
  type Worktree,
} from '#workspace';
import { repeatable } from './repeatable.js';
import { baselineOf, commitOf, orderOf, type WorkParts } from './work-parts.js';

export interface CleanRunWish {
  readonly tree: CleanTree;
  /** Null: the verify commands of the project. */
  readonly commands: readonly string[] | null;
  readonly step: string;
  /** What ran on the base, if it is more than the verify commands. Its slowest command counts too for the time limit. */
  readonly baseline?: Pick<VerifyReport, 'commands'> | null;
}

/** A slow suite may take three times as long as it took before the change. */
const SLOWEST_FACTOR = 3;

/** Runs commands on a tree that no agent can have touched. */
export async function runInCleanRoom(
  { workshop }: Pick<WorkParts, 'workshop'>,
  activity: ActivityContext,
  worktree: Worktree,
  { tree, commands, step, baseline = null }: CleanRunWish,
): Promise<VerifyReport> {
  const before = [baselineOf(activity), baseline].flatMap((report) => report?.commands ?? []);
  const slowest = Math.max(0, ...before.map(({ durationMs }) => durationMs));
  return repeatable(activity, step, async (run) => {
    const clean = { tree, commands, timeoutMs: SLOWEST_FACTOR * slowest };
    const order = orderOf(activity);
    const whole = await workshop.verifyClean(worktree, order, clean, run).then(
      ({ setupFailure, ...report }) => (setupFailure ? withFailedSetup(report, setupFailure) : report),
      (error: unknown) => {
        if (errorCode(error) !== 'CLEAN_PATH_INVALID') throw error;
        return { ...NOT_PLACED, reason: errorMessage(error), sandbox: workshop.sandbox(order).kind };
      },
    );
    run.tell('workspace.verified', {
      ...verdictOf(whole),
      step,
      ms: commandMs(whole),
      ...singleCommandOf(commands, whole),
    });
    return whole;
  });
}

/** A check is one command, and counts no tests: people look for the command and how it ended. */
const singleCommandOf = (commands: readonly string[] | null, { commands: [ran] }: VerifyReport): JsonObject =>
  commands?.length === 1 && ran ? { command: cleanLine(ran.command, 200), exitCode: ran.exitCode } : {};

/** The change may have a link or a folder at the path of a check's file. No command runs then. */
const NOT_PLACED = { verdict: 'failed', commands: [], counts: null } as const;

const SET_UP = 'set-up';

/** Why the tree of a run could not be set up; null if it could. */
export function findFailedSetup({ reason, commands }: Pick<VerifyReport, 'reason' | 'commands'>): {
  readonly reason: string;
  readonly output: string;
} | null {
  const [only, ...others] = commands;
  return only?.command === SET_UP && others.length === 0 ? { reason, output: only.output } : null;
}

/** A tree that cannot be set up fails as a command would: no comparison may take it for a pass. */
const withFailedSetup = (
  report: VerifyReport,
  { reason, output }: { readonly reason: string; readonly output: string },
): VerifyReport => ({
  ...report,
  verdict: 'failed',
  reason,
  commands: [
    { command: SET_UP, exitCode: 1, endedBy: 'itself', durationMs: 0, output, counts: null, metReadOnly: false },
  ],
});

interface VerifyWish {
  readonly commit?: string;
  readonly step?: string;
  /** What runs in the place of the verify commands; null: they themselves. */
  readonly commands?: readonly string[] | null;
  readonly baseline?: CleanRunWish['baseline'];
}

/** What the verify commands say of a commit, run by the service in the clean room. */
export async function verified(
  parts: WorkParts,
  activity: ActivityContext,
  worktree: Worktree,
  {
    commit = commitOf(activity) ?? worktree.baseCommit,
    step = 'verify',
    commands = null,
    baseline = null,
  }: VerifyWish = {},
): Promise<VerifyReport> {
  const report = await runInCleanRoom(parts, activity, worktree, { tree: { commit }, commands, step, baseline });
  // What a person or an interrupted agent left in the worktree is no part of what was judged.
  if (isAfterBlock(activity)) {
    await repeatable(activity, `${step}/reset`, () => parts.worktrees.reset(worktree, commit));
  }
  return report;
}

/** Whether the files may be other than the commit says: people work in the worktree while a project waits. */
export const isAfterBlock = ({ context }: Pick<ActivityContext, 'context'>): boolean =>
  context['block'] !== undefined && context['block'] !== null;

/** Whether tests, or what else verifies, were meddled with between two commits. */
export async function tamperingBetween(
  { worktrees }: WorkParts,
  activity: ActivityContext,
  worktree: Worktree,
  { from, to, step = 'compare-tests' }: { from: string; to: string; step?: string },
): Promise<TestTampering> {
  const known = baselineOf(activity)?.commands.map(({ command }) => command);
  const by = verifiedBy(orderOf(activity).verify ?? known ?? []);
  return repeatable(activity, step, async () =>
    testTampering(await worktrees.diffOfTests(worktree, from, to, by.files), by),
  );
}

/** What its commands took. */
export const commandMs = ({ commands }: Pick<VerifyReport, 'commands'>): number =>
  commands.reduce((sum, { durationMs }) => sum + durationMs, 0);

export function verdictOf({ verdict, commands, sandbox }: VerifyReport): JsonObject {
  const sum = (of: 'passed' | 'failed' | 'skipped'): number =>
    commands.reduce((total, { counts }) => total + (counts?.[of] ?? 0), 0);
  return { verdict, passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), sandbox };
}
