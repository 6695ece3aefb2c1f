import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import type { CodingParts } from '../coding-context.js';
import type { Unfinished } from '../run-agent.js';
import type { GatheredFacts } from './gather-facts.js';
import { ruleOnInspection } from './rule-on-inspection.js';

interface Wish {
  readonly facts: GatheredFacts;
  readonly claim: string | null;
  readonly isLastChance: boolean;
}

export type RuledFacts =
  | { readonly kind: 'ruled'; readonly facts: GatheredFacts; readonly patch: JsonObject }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

/** The facts with an inspection that a third agent may have overruled. */
export async function ruleOnFacts(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { facts, claim, isLastChance }: Wish,
): Promise<RuledFacts> {
  const ruled = await ruleOnInspection(parts, activity, worktree, {
    commit: facts.commit,
    inspection: facts.inspection,
    redParts: findRedParts(facts),
    checks: facts.checks.map(
      ({ check, onResult }) => `${check.title} ($ ${check.command}): ${onResult.map(({ kind }) => kind).join(', ')}`,
    ),
    claim,
    isLastChance,
  });
  if (ruled.kind === 'stopped') return ruled;
  return { kind: 'ruled', facts: { ...facts, inspection: ruled.inspection }, patch: ruled.patch };
}

/** Parts with a check that does not pass, or with a test of the baseline that still fails. */
export const findRedParts = ({
  plan,
  checks,
  stillFailing,
}: Pick<GatheredFacts, 'plan' | 'checks' | 'stillFailing'>): readonly number[] =>
  plan.parts.flatMap(({ failingTests }, index) => {
    const isRed =
      failingTests.some((name) => stillFailing.includes(name)) ||
      checks.some(({ check, onResult }) => check.part === index + 1 && onResult.some(({ kind }) => kind !== 'green'));
    return isRed ? [index + 1] : [];
  });
