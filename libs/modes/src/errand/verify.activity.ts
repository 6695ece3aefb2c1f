import { type Activity, type ActivityContext, report } from '#engine';
import { judgeProof } from '#proof';
import { neverHealed } from '#self-heal';
import type { VerifyReport, Worktree } from '#workspace';
import type { CodingParts } from '../coding/coding-context.js';
import { describeJudgement, failedRules } from '../coding/proof/describe-judgement.js';
import { NOTHING_MISSING } from '../coding/proof/check-proof.js';
import { gatherFacts, type GatheredFacts } from '../coding/proof/gather-facts.js';
import { describeFailedChecks, describeFailedRuns, isRed } from '../coding/proof/missing-proof.js';
import { proofFactsOf } from '../coding/proof/proof-facts.js';
import { describeFailings, recordOf } from '../coding/proof/record-proof.js';
import { ruleOnFacts } from '../coding/proof/rule-on-facts.js';
import { ruleOnResultScope } from '../coding/proof/rule-on-result-scope.js';
import { type DueChecks, runDueChecks } from '../coding/proof/run-due-checks.js';
import { stoppedBy } from '../coding/run-agent.js';
import type { RequestPlan } from '../coding/scoping/request-plan.js';
import { blockedByFreshSetup, blockedBySetup } from '../coding/ask-person.js';
import { enterSetUp } from '../shared/enter.js';
import { withPatchedContext } from '../shared/patched-context.js';
import { repeatable } from '../shared/repeatable.js';
import { findFailedSetup, verdictOf, verified } from '../shared/verification.js';
import { asJson, commitOf } from '../shared/work-parts.js';
import { errandContextOf, errandPatchOf } from './context.js';
import { healsOf, isLastAttempt } from './revision.js';
import { renderErrandScreen } from './unproven-screen.js';

/** What the tests say before the first change, and what the repository looks like. */
export const measure =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const { worktree, failed } = await enterSetUp(parts, activity);
    if (failed) return blockedBySetup(activity, failed);
    const { map, conventions } = await repeatable(activity, 'map', () => parts.worktrees.map(worktree));
    const baseline = await verified(parts, activity, worktree);
    // Without a set-up that works on the commit alone, no run in the clean room says anything.
    const unfit = findFailedSetup(baseline);
    if (unfit) return blockedByFreshSetup(activity, unfit);
    const patch = { ...errandPatchOf({ repositoryMap: map, conventions }), baseline: asJson(baseline) };
    return report('baseline:known', patch, verdictOf(baseline));
  };

/** Judges the result by the rules of coding mode. What can be healed goes back to WORKING. */
export const verify =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const { worktree, failed } = await enterSetUp(parts, activity);
    if (failed) return blockedBySetup(activity, failed);
    const { requestPlan, baseline } = errandContextOf(activity);
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
    const isJudgedProven = judgement.proven !== 'no';
    const printed = isJudgedProven ? '' : describeFailedRuns(facts);
    const never = findNever(activity, { before, facts, printed, isJudgedProven });
    const isProven = isJudgedProven && never === null;
    const doubt = isProven ? null : [never ?? '', describeFailings(judgement)].filter(Boolean).join(' ');
    const screen = renderErrandScreen({
      request: activity.project.request,
      said: errandContextOf(activity).said ?? '',
      failings: [...(never === null ? [] : [never]), ...judgement.failings.map(({ what }) => what)],
      proof,
      output: printed,
    });
    const patch = {
      ...known,
      ...errandPatchOf({ proof, isProven, doubt, why: isProven ? null : screen, flakyTests: [...facts.flaky] }),
      ...errandPatchOf({ hasRedCheck: facts.checks.some(isRed), wrongCheck: null, evidence: [...proof.evidence] }),
      ...errandPatchOf({ doubtOutput: isProven ? null : withFiles(printed, describeFailedChecks(facts)) }),
      verification: asJson(facts.verification.result),
    };
    const told = { ...verdictOf(facts.verification.result), proven: judgement.proven, rules: failedRules(judgement) };
    if (isProven) return report('verify:passed', patch, told);
    const canHeal = never === null && judgement.failings.some((failing) => failing.canHeal);
    return report(canHeal ? 'verify:failed' : 'verify:unproven', patch, { ...told, doubt });
  };

/** Whether the last attempt was to heal the first one, and changed nothing: its agent found nothing that is missing. */
const isUnchanged = (activity: ActivityContext, commit: string): boolean =>
  healsOf(activity) > 0 && errandContextOf(activity).firstCommit === commit;

interface Judged {
  readonly before: VerifyReport;
  readonly facts: GatheredFacts;
  /** By checks and tests that failed on the result. */
  readonly printed: string;
  readonly isJudgedProven: boolean;
}

/** Why only a person may decide, whatever another heal could do: what the last one changed, or what a run printed. */
function findNever(activity: ActivityContext, { before, facts, printed, isJudgedProven }: Judged): string | null {
  const outputOf = ({ output }: VerifyReport['commands'][number]): string => output;
  const failing = facts.verification.result.commands.filter((one) => one.exitCode !== 0 || one.endedBy !== 'itself');
  const output = [...failing.map(outputOf), printed].join('\n');
  const refused = isJudgedProven ? null : neverHealed({ output, before: before.commands.map(outputOf).join('\n') });
  const why = errandContextOf(activity).neverHealed?.why ?? refused;
  return why === null ? null : `Only a person may decide this: ${why.replace(/[.\s]+$/, '')}.`;
}

const withFiles = (printed: string, files: string): string =>
  files === '' ? printed : `${printed}\n\nFiles of the checks:\n${files}`;

/** If the implementer says that a check is wrong, a third agent rules on the first check that fails. */
async function ruleOnClaim(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  commit: string,
): Promise<DueChecks> {
  const { checks = [], wrongCheck: claim = null } = errandContextOf(activity);
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
