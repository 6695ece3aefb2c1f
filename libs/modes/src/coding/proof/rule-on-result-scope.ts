import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { VerifyReport, Worktree } from '#workspace';
import { failingTests } from '../../shared/failing-tests.js';
import type { CodingParts } from '../coding-context.js';
import { contextOf } from '../context.js';
import type { Unfinished } from '../run-agent.js';
import type { GatheredFacts } from './gather-facts.js';
import { joinReports } from './package-tests.js';
import { ruleOnScope } from './rule-on-scope.js';

interface Wish {
  readonly facts: GatheredFacts;
  readonly baseline: VerifyReport;
}

type RuledScope =
  | { readonly kind: 'ruled'; readonly facts: GatheredFacts; readonly patch: JsonObject }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

/**
 * The facts without guessed failures that an independent agent took out of the scope. These were in it only because they
 * share a name with the request. Tests of packages count too: the verify commands of the root may leave them out.
 */
export async function ruleOnResultScope(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { facts, baseline: root }: Wish,
): Promise<RuledScope> {
  const { commit, plan, stillFailing, packages } = facts;
  const result = joinReports(facts.verification.result, packages.result);
  const baseline = joinReports(root, packages.baseline);
  const failing = failingTests(result).filter(({ name }) => stillFailing.includes(name));
  const wish = { failing, commit, plan, baseline, step: 'scope-of-result' };
  const ruled = await ruleOnScope(parts, activity, worktree, wish);
  if (ruled.kind === 'stopped') return ruled;
  const left = contextOf({ context: ruled.patch }).requestPlan ?? plan;
  const inScope = new Set(left.scope.map(({ name }) => name));
  return {
    kind: 'ruled',
    facts: { ...facts, plan: left, stillFailing: stillFailing.filter((name) => inScope.has(name)) },
    patch: ruled.patch,
  };
}
