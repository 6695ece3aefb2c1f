import { type Activity, report } from '#engine';
import { blockedBySetup } from '../shared/block.js';
import { doubtAbout } from '../shared/doubt.js';
import { enterSetUp } from '../shared/enter.js';
import { tamperingBetween, verdictOf, verified } from '../shared/verification.js';
import { asJson, baselineOf, commitOf, type WorkParts } from '../shared/work-parts.js';

/** What the tests say before anybody has touched anything. */
export const measure =
  (parts: WorkParts): Activity =>
  async (activity) => {
    const { worktree, failed } = await enterSetUp(parts, activity);
    if (failed) return blockedBySetup(failed);
    const baseline = await verified(parts, activity, worktree);
    return report('baseline:known', { baseline: asJson(baseline) }, verdictOf(baseline));
  };

/** What the tests say now, and whether the agent meddled with them. Run by the service, whatever the agent claims. */
export const verify =
  (parts: WorkParts): Activity =>
  async (activity) => {
    const { worktree, failed } = await enterSetUp(parts, activity);
    if (failed) return blockedBySetup(failed);
    const result = await verified(parts, activity, worktree);
    const { baseCommit: from } = worktree;
    const tampering = await tamperingBetween(parts, activity, worktree, { from, to: commitOf(activity) ?? from });
    const doubt = doubtAbout(result, tampering, baselineOf(activity));
    const patch = { verification: asJson(result), tampering: asJson(tampering), doubt, why: doubt };
    if (doubt !== null) return report('verify:unproven', patch, { ...verdictOf(result), doubt });
    if (result.verdict === 'failed') {
      const why = 'the tests fail';
      return report('verify:failed', { ...patch, doubt: why, why }, verdictOf(result));
    }
    return report('verify:passed', patch, verdictOf(result));
  };
