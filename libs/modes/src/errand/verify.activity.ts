import { type Activity, type ActivityContext, report } from '#engine';
import { judgeProof } from '#proof';
import type { CodingParts } from '../coding/coding-context.js';
import { contextOf, patchOf } from '../coding/context.js';
import { gatherFacts, type GatheredFacts } from '../coding/proof/gather-facts.js';
import { proofFactsOf } from '../coding/proof/proof-facts.js';
import { describeFailings, recordOf } from '../coding/proof/record-proof.js';
import { stoppedBy } from '../coding/run-agent.js';
import type { RequestPlan } from '../coding/scoping/request-plan.js';
import { blockedBySetup } from '../shared/block.js';
import { enterSetUp } from '../shared/enter.js';
import { repeatable } from '../shared/repeatable.js';
import { verdictOf, verified } from '../shared/verification.js';
import { asJson, commitOf } from '../shared/work-parts.js';

/** What the tests say before the first change, and what the repository looks like. */
export const measure =
  (parts: CodingParts): Activity =>
  async (activity) => {
    const { worktree, failed } = await enterSetUp(parts, activity);
    if (failed) return blockedBySetup(failed);
    const { map, conventions } = await repeatable(activity, 'map', () => parts.worktrees.map(worktree));
    const baseline = await verified(parts, activity, worktree);
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
    const wish = { commit, plan, baseline: before, known: null };
    const gathered = await gatherFacts(parts, activity, worktree, wish);
    if (gathered.kind === 'stopped') return stoppedBy(gathered.outcome, gathered.patch, null);
    const { facts } = gathered;
    const judgement = judgeProof(proofFactsOf(activity, facts, gathered.patch));
    const proof = recordOf(facts, judgement, before);
    const isProven = judgement.proven !== 'no';
    const doubt = isProven ? null : describeFailings(judgement);
    const patch = {
      ...gathered.patch,
      ...patchOf({ proof, isProven, doubt, why: doubt, flakyTests: [...facts.flaky] }),
      evidence: [...proof.evidence],
      doubtOutput: isProven ? null : outputOf(facts),
      verification: asJson(facts.verification.result),
    };
    const told = { ...verdictOf(facts.verification.result), proven: judgement.proven };
    if (isProven) return report('verify:passed', patch, told);
    const canHeal = judgement.failings.some((failing) => failing.canHeal);
    return report(canHeal ? 'verify:failed' : 'verify:unproven', patch, { ...told, doubt });
  };

/** An errand that began before there were plans. */
const wholeRequest = ({ project: { request } }: ActivityContext): RequestPlan => ({
  class: 'behaviour',
  parts: [{ title: request.slice(0, 300), interface: '', failingTests: [] }],
  steps: [],
  scope: [],
  fallback: 'It began without a plan.',
});

const LONGEST_OUTPUT = 8_000;

/** What the runs printed that speak against the result. */
function outputOf({ checks, baseTests }: GatheredFacts): string {
  const red = checks.filter(({ onResult }) => onResult.some(({ kind }) => kind !== 'green'));
  const sources = (files: readonly { path: string; content: string }[]): string =>
    files.map(({ path, content }) => `--- ${path}\n${content}`).join('\n');
  return [
    ...red.map(({ check, output }) => `$ ${check.command}\n${output}\n${sources(check.files)}`),
    ...(baseTests.newFailures.length > 0 ? [`The old tests on the new code:\n${baseTests.output}`] : []),
  ]
    .map((text) => text.slice(0, LONGEST_OUTPUT))
    .join('\n\n');
}
