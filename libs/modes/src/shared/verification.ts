import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { testTampering, type TestTampering, verifiedBy, type VerifyReport, type Worktree } from '#workspace';
import { repeatable } from './repeatable.js';
import { baselineOf, commitOf, orderOf, type WorkParts } from './work-parts.js';

/** What the tests say of a commit, run by the service, whatever an agent claims. */
export async function verified(
  { workshop, worktrees }: WorkParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit = commitOf(activity) ?? worktree.baseCommit, step = 'verify' }: { commit?: string; step?: string } = {},
): Promise<VerifyReport> {
  return repeatable(activity, step, async (run) => {
    // What a run that was cut off has left is no part of what is judged, nor what somebody changed at a block.
    if (run.attempt > 1 || isAfterBlock(activity)) await worktrees.reset(worktree, commit);
    const report = await workshop.verify(worktree, orderOf(activity), run);
    // What is judged, and later committed, is what the agent left, not what the commands made of it.
    await worktrees.reset(worktree, commit);
    run.tell('workspace.verified', { ...verdictOf(report), ms: commandMs(report) });
    return report;
  });
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

/** The same of an attempt. What is run may be put back as it was before the first change: that is no meddling. */
export async function tamperingOfAttempt(
  parts: WorkParts,
  activity: ActivityContext,
  worktree: Worktree,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<TestTampering> {
  const found = await tamperingBetween(parts, activity, worktree, { from, to });
  const { runnerFiles, verification = [] } = found;
  if (runnerFiles.length + verification.length === 0) return found;
  const step = 'compare-with-base';
  const whole = await tamperingBetween(parts, activity, worktree, { from: worktree.baseCommit, to, step });
  const other = new Set([...whole.runnerFiles, ...(whole.newRunnerFiles ?? []), ...(whole.verification ?? [])]);
  const isOther = (name: string): boolean => other.has(name);
  return { ...found, runnerFiles: runnerFiles.filter(isOther), verification: verification.filter(isOther) };
}

/** What its commands took. */
export const commandMs = ({ commands }: Pick<VerifyReport, 'commands'>): number =>
  commands.reduce((sum, { durationMs }) => sum + durationMs, 0);

export function verdictOf({ verdict, commands, sandbox }: VerifyReport): JsonObject {
  const sum = (of: 'passed' | 'failed' | 'skipped'): number =>
    commands.reduce((total, { counts }) => total + (counts?.[of] ?? 0), 0);
  return { verdict, passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), sandbox };
}
