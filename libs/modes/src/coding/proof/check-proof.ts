import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { withPatchedContext } from '../../shared/patched-context.js';
import { baselineOf } from '../../shared/work-parts.js';
import type { CodingParts } from '../coding-context.js';
import { contextOf, patchOf } from '../context.js';
import { isLastAttempt } from '../heal-problem.js';
import { type CheckOutcome, type CheckRequest, HELD } from './check-outcome.js';
import { gatherFacts } from './gather-facts.js';
import { judgeResult } from './judge-result.js';
import { describeMissingProof } from './missing-proof.js';
import { ruleOnResultScope } from './rule-on-result-scope.js';
import { ruleOnFacts } from './rule-on-facts.js';

/** The words of an agent that changes nothing. */
export const NOTHING_MISSING = 'I changed nothing: I found nothing that is missing.';

/**
 * Judges the whole result again after an attempt to heal its proof. Without this, any change would count as a fix, and
 * the ladder would never reach a larger model.
 */
export async function checkProof(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, wrongCheck = null, isUnchanged = false }: CheckRequest,
): Promise<CheckOutcome> {
  const { requestPlan: plan, verification } = contextOf(activity);
  const baseline = baselineOf(activity);
  if (!plan || !baseline) return HELD;
  const known = verification ?? null;
  const gathered = await gatherFacts(parts, activity, worktree, { commit, plan, baseline, known });
  if (gathered.kind === 'stopped') return gathered;
  const scene = withPatchedContext(activity, gathered.patch);
  const claim = wrongCheck ?? (isUnchanged ? NOTHING_MISSING : null);
  const scoped = await ruleOnResultScope(parts, scene, worktree, { facts: gathered.facts, baseline });
  const seen = { ...gathered.patch, ...scoped.patch };
  if (scoped.kind === 'stopped') return { ...scoped, patch: seen };
  const wish = { facts: scoped.facts, claim, isLastChance: isLastAttempt(activity) };
  const ruled = await ruleOnFacts(parts, scene, worktree, wish);
  if (ruled.kind === 'stopped') return { ...ruled, patch: seen };
  const { facts } = ruled;
  const found = { ...seen, ...ruled.patch };
  const { judgement } = judgeResult(activity, facts, found);
  const patch = { ...found, ...patchOf({ flakyTests: [...facts.flaky] }) };
  const comparison = describeMissingProof(facts, judgement);
  return judgement.proven === 'no' && comparison.newFailures.length > 0
    ? { kind: 'failed', comparison, patch }
    : { kind: 'held', patch };
}
