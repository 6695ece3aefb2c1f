import { type Activity, type ActivityContext, report } from '#engine';
import { judgeProof } from '#proof';
import type { Worktree } from '#workspace';
import type { CodingParts } from '../coding/coding-context.js';
import { contextOf, patchOf } from '../coding/context.js';
import { describeJudgement, failedRules } from '../coding/proof/describe-judgement.js';
import { NOTHING_MISSING } from '../coding/proof/check-proof.js';
import { gatherFacts } from '../coding/proof/gather-facts.js';
import { describeFailedRuns, isRed } from '../coding/proof/missing-proof.js';
import { proofFactsOf } from '../coding/proof/proof-facts.js';
import { describeFailings, recordOf } from '../coding/proof/record-proof.js';
import { ruleOnFacts } from '../coding/proof/rule-on-facts.js';
import { ruleOnResultScope } from '../coding/proof/rule-on-result-scope.js';
import { type DueChecks, runDueChecks } from '../coding/proof/run-due-checks.js';
import { stoppedBy } from '../coding/run-agent.js';
import type { RequestPlan } from '../coding/scoping/request-plan.js';
import { blockedBySetup } from '../shared/block.js';
import { enterSetUp } from '../shared/enter.js';
import { withPatchedContext } from '../shared/patched-context.js';
import { repeatable } from '../shared/repeatable.js';
import { findFailedSetup, verdictOf, verified } from '../shared/verification.js';
import { asJson, commitOf } from '../shared/work-parts.js';
import { attempts } from './machine.js';
import { renderErrandScreen } from './unproven-screen.js';

/** What the tests say before the first change, and what the repository looks like. */
export const measure =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const { worktree, failed } = await enterSetUp(parts, activity);
    if (failed) return blockedBySetup(failed);
    const { map, conventions } = await repeatable(activity, 'map', () => parts.worktrees.map(worktree));
    const baseline = await verified(parts, activity, worktree);
    // Without a set-up that works on the commit alone, no run in the clean room says anything.
    const unfit = findFailedSetup(baseline);
    if (unfit) return blockedBySetup(unfit);
    const patch = { ...patchOf({ repositoryMap: map, conventions }), baseline: asJson(baseline) };
    return report('baseline:known', patch, verdictOf(baseline));
  };

/** Judges the result by the rules of coding mode. What can be healed goes back to WORKING. */
export const verify =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const { worktree, failed } = await enterSetUp(parts, activity);
    if (failed) return blockedBySetup(failed);
    const { requestPlan, baseline } = contextOf(activity);
    const commit = commitOf(activity) ?? worktree.baseCommit;
    const before =
      baseline ?? (await verified(parts, activity, worktree, { commit: worktree.baseCommit, step: 'base' }));
    const plan = requestPlan ?? wholeRequest(activity);
    const disputed = await ruleOnClaim(parts, activity, worktree, commit);
    if (disputed.kind === 'stopped') return stoppedBy(activity, disputed.outcome, disputed.patch, null);
    const scene = withPatchedContext(activity, { ...disputed.patch, baseline: asJson(before) });
    const wish = { commit, plan, baseline: before, known: null };
    const gathered = await gatherFacts(parts, scene, worktree, wish);
    const left = { ...disputed.patch, ...gathered.patch };
    if (gathered.kind === 'stopped') return stoppedBy(activity, gathered.outcome, left, null);
    const seen = withPatchedContext(scene, left);
    const ruled = await ruleOnResultScope(parts, seen, worktree, { facts: gathered.facts, baseline: before });
    if (ruled.kind === 'stopped') return stoppedBy(activity, ruled.outcome, { ...left, ...ruled.patch }, null);
    const inspected = await ruleOnFacts(parts, seen, worktree, {
      facts: ruled.facts,
      claim: isUnchanged(activity, commit) ? NOTHING_MISSING : null,
      isLastChance: isLastAttempt(activity),
    });
    if (inspected.kind === 'stopped') return stoppedBy(activity, inspected.outcome, { ...left, ...ruled.patch }, null);
    const { facts } = inspected;
    const known = { ...left, ...ruled.patch, ...inspected.patch };
    const judgement = judgeProof(proofFactsOf(scene, facts, known));
    const proof = recordOf(facts, judgement, before);
    await repeatable(activity, 'judged', async (run) => {
      run.tell('proof.judged', describeJudgement(facts, judgement));
    });
    const isProven = judgement.proven !== 'no';
    const doubt = isProven ? null : describeFailings(judgement);
    const said = activity.context['said'];
    const output = isProven ? '' : describeFailedRuns(facts);
    const screen = renderErrandScreen({
      request: activity.project.request,
      said: typeof said === 'string' ? said : '',
      judgement,
      proof,
      output,
    });
    const patch = {
      ...known,
      ...patchOf({ proof, isProven, doubt, why: isProven ? null : screen, flakyTests: [...facts.flaky] }),
      ...patchOf({ hasRedCheck: facts.checks.some(isRed), wrongCheck: null }),
      evidence: [...proof.evidence],
      doubtOutput: isProven ? null : output,
      verification: asJson(facts.verification.result),
    };
    const told = { ...verdictOf(facts.verification.result), proven: judgement.proven, rules: failedRules(judgement) };
    if (isProven) return report('verify:passed', patch, told);
    const canHeal = judgement.failings.some((failing) => failing.canHeal);
    return report(canHeal ? 'verify:failed' : 'verify:unproven', patch, { ...told, doubt });
  };

/** Whether the last attempt was to heal the first one, and changed nothing: its agent found nothing that is missing. */
const isUnchanged = ({ context, counters }: ActivityContext, commit: string): boolean =>
  (counters[attempts.name] ?? 0) > 0 && context['firstCommit'] === commit;

/** Whether a person is asked if this attempt is not proven. */
function isLastAttempt({ context, counters }: ActivityContext): boolean {
  const most = context['attempts'];
  return (counters[attempts.name] ?? 0) >= (typeof most === 'number' ? most : attempts.max);
}

/** If the implementer says that a check is wrong, a third agent rules on the first check that fails. */
async function ruleOnClaim(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  commit: string,
): Promise<DueChecks> {
  const { checks = [], wrongCheck: claim = null } = contextOf(activity);
  if (claim === null) return { kind: 'held', patch: {} };
  const due = checks.filter(({ dropped }) => dropped === null);
  return runDueChecks(parts, activity, worktree, { checks: due, commit, claim });
}

/** An errand that began before there were plans. */
const wholeRequest = ({ project: { request } }: ActivityContext): RequestPlan => ({
  class: 'behaviour',
  parts: [{ title: request.slice(0, 300), interface: '', failingTests: [] }],
  steps: [],
  scope: [],
  fallback: 'It began without a plan.',
});
