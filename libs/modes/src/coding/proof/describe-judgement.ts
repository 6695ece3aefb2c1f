import type { JsonObject } from '#kernel';
import type { Judgement } from '#proof';
import type { GatheredFacts } from './gather-facts.js';

type Facts = Pick<GatheredFacts, 'commit' | 'plan' | 'checks' | 'stillFailing' | 'inspection'>;

const MOST_FAILINGS = 20;
const LONGEST_FAILING = 300;

/** Rules of the judge that failed, each once. */
export const failedRules = ({ failings }: Pick<Judgement, 'failings'>): string[] => [
  ...new Set(failings.map(({ rule }) => rule)),
];

/** A judgement as the event `proof.judged` tells it: the verdict, and what decided it for each part and each rule. */
export const describeJudgement = (facts: Facts, judgement: Judgement): JsonObject => ({
  commit: facts.commit,
  proven: judgement.proven,
  rules: failedRules(judgement),
  failings: judgement.failings
    .slice(0, MOST_FAILINGS)
    .map(({ rule, what }) => ({ rule, what: what.slice(0, LONGEST_FAILING) })),
  parts: facts.plan.parts.map(({ failingTests }, index) => describePart(facts, index + 1, failingTests)),
});

/** `passes` is null if no check and no failing test covers the part, `confirmed` if no agent has read it. */
function describePart(
  { checks, stillFailing, inspection }: Facts,
  part: number,
  failingTests: readonly string[],
): JsonObject {
  const own = checks.filter(({ check }) => check.part === part);
  const results = [
    ...own.map(({ onResult }) => onResult.every(({ kind }) => kind === 'green')),
    ...failingTests.map((name) => !stillFailing.includes(name)),
  ];
  return {
    part,
    checks: own.map(({ check }) => check.id),
    tests: failingTests.length,
    passes: results.length === 0 ? null : results.every(Boolean),
    confirmed: inspection?.parts.find((one) => one.part === part)?.isDone ?? null,
  };
}
