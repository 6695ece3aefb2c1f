import { type Activity, type ActivityContext, report } from '#engine';
import type { JsonObject } from '#kernel';
import { testTampering, type TestTampering, type VerifyReport, type Worktree } from '#workspace';
import { doubtAbout } from './doubt.js';
import { enterSetUp } from './enter.js';
import { asJson, baselineOf, blockedBySetup, commitOf, type ErrandParts, orderOf } from './errand-context.js';

/** What the tests say before anybody has touched anything. */
export const measure =
  (parts: ErrandParts): Activity =>
  async (activity) => {
    const { worktree, failed } = await enterSetUp(parts, activity);
    if (failed) return blockedBySetup(failed);
    const baseline = await verified(parts, activity, worktree);
    return report('baseline:known', { baseline: asJson(baseline) }, summary(baseline));
  };

/** What the tests say now, and whether the agent meddled with them. Run by the service, whatever the agent claims. */
export const verify =
  (parts: ErrandParts): Activity =>
  async (activity) => {
    const { worktree, failed } = await enterSetUp(parts, activity);
    if (failed) return blockedBySetup(failed);
    const result = await verified(parts, activity, worktree);
    const tampering = await tamperingOf(parts, activity, worktree);
    const doubt = doubtAbout(result, tampering, baselineOf(activity));
    const patch = { verification: asJson(result), tampering: asJson(tampering), doubt, why: doubt };
    if (doubt !== null) return report('verify:unproven', patch, { ...summary(result), doubt });
    if (result.verdict === 'failed') {
      const why = 'the tests fail';
      return report('verify:failed', { ...patch, doubt: why, why }, summary(result));
    }
    return report('verify:passed', patch, summary(result));
  };

async function verified(
  { workshop, worktrees }: ErrandParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<VerifyReport> {
  const result = await activity.effect({
    step: 'verify',
    settle: { kind: 'repeat' },
    run: async (run) => {
      const report = await workshop.verify(worktree, orderOf(activity), run);
      // What is judged, and later committed, is what the agent left, not what the commands made of it.
      await worktrees.reset(worktree, commitOf(activity) ?? worktree.baseCommit);
      run.tell('workspace.verified', summary(report));
      return asJson(report);
    },
  });
  return result as unknown as VerifyReport;
}

async function tamperingOf(
  { worktrees }: ErrandParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<TestTampering> {
  const found = await activity.effect({
    step: 'compare-tests',
    settle: { kind: 'repeat' },
    run: async () => {
      const { baseCommit } = worktree;
      const diff = await worktrees.diffOfTests(worktree, baseCommit, commitOf(activity) ?? baseCommit);
      return asJson(testTampering(diff));
    },
  });
  return found as unknown as TestTampering;
}

function summary({ verdict, commands, sandbox }: VerifyReport): JsonObject {
  const sum = (of: 'passed' | 'failed' | 'skipped'): number =>
    commands.reduce((total, { counts }) => total + (counts?.[of] ?? 0), 0);
  return { verdict, passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), sandbox };
}
