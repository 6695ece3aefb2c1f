import type { Judgement } from '#proof';
import type { Comparison } from '#self-heal';
import type { Check } from '../scoping/request-plan.js';
import type { GatheredFacts } from './gather-facts.js';
import type { CheckFacts } from './run-checks.js';

const LONGEST_OUTPUT = 6_000;
/** Of all runs together: every checkpoint carries it. */
const LONGEST_OUTPUTS = 40_000;
/** They become a part of a task, which every checkpoint carries. */
const MOST_SENTENCES = 100;

type ShownFacts = Pick<GatheredFacts, 'checks' | 'packages' | 'baseTests'>;

/** What is missing for a proof and can be healed, as the healer sees it. */
export function describeMissingProof(facts: ShownFacts, { failings }: Judgement): Comparison {
  const healable = failings.filter(({ canHeal }) => canHeal).slice(0, MOST_SENTENCES);
  const newFailures = healable.map(({ what }) => what);
  const output = [...newFailures, describeFailedRuns(facts)].join('\n\n');
  return {
    isNoWorse: false,
    newFailures,
    oldFailures: [],
    worst: { command: 'the proof of the result', output },
    isCheck: true,
    checkFiles: describeFailedChecks(facts),
  };
}

/** What the runs printed that failed. */
export function describeFailedRuns({ checks, packages, baseTests }: ShownFacts): string {
  return [
    ...checks
      .filter(isRed)
      .map(({ check, output }) => `$ ${check.command}\n${output.slice(-LONGEST_OUTPUT)}`.trimEnd()),
    ...(packages.newFailures.length > 0 ? (packages.result?.commands ?? []) : []).map(
      ({ command, output }) => `$ ${command}\n${output.slice(-LONGEST_OUTPUT)}`,
    ),
    ...(baseTests.newFailures.length > 0
      ? [`The old tests on the new code:\n${baseTests.output.slice(-LONGEST_OUTPUT)}`]
      : []),
  ]
    .join('\n\n')
    .slice(0, LONGEST_OUTPUTS);
}

/** The files of the checks that failed: an agent may say that one is wrong. */
export const describeFailedChecks = ({ checks }: Pick<ShownFacts, 'checks'>): string =>
  checks
    .filter(isRed)
    .map(({ check }) => describeFiles(check).slice(0, LONGEST_OUTPUT))
    .join('\n')
    .slice(0, LONGEST_OUTPUTS);

export const describeFiles = ({ files }: Pick<Check, 'files'>): string =>
  files.map(({ path, content }) => `--- ${path}\n${content}`).join('\n');

/** Whether a check failed on the result, at least once. */
export const isRed = ({ onResult }: CheckFacts): boolean => onResult.some(({ kind }) => kind !== 'green');
