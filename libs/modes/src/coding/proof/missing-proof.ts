import type { Judgement } from '#proof';
import type { Comparison } from '#self-heal';
import type { GatheredFacts } from './gather-facts.js';

const LONGEST_OUTPUT = 6_000;
/** They become a part of a task, which every checkpoint carries. */
const MOST_SENTENCES = 100;

type ShownFacts = Pick<GatheredFacts, 'checks' | 'baseTests'>;

/** What is missing for a proof and can be healed, as the healer sees it. */
export function describeMissingProof(facts: ShownFacts, { failings }: Judgement): Comparison {
  const healable = failings.filter(({ canHeal }) => canHeal).slice(0, MOST_SENTENCES);
  const newFailures = healable.map(({ what }) => what);
  const output = [...newFailures, outputsOf(facts)].join('\n\n');
  return {
    isNoWorse: false,
    newFailures,
    oldFailures: [],
    worst: { command: 'the proof of the result', output },
    isCheck: true,
  };
}

/** What the failing runs printed. */
function outputsOf({ checks, baseTests }: ShownFacts): string {
  const red = checks.filter(({ onResult }) => onResult.some(({ kind }) => kind !== 'green'));
  return [
    ...red.map(({ check, output }) => `$ ${check.command}\n${output.slice(-LONGEST_OUTPUT)}`),
    ...(baseTests.newFailures.length > 0
      ? [`The old tests on the new code:\n${baseTests.output.slice(-LONGEST_OUTPUT)}`]
      : []),
  ].join('\n\n');
}
