import type { Judgement } from '#proof';
import type { VerifyReport } from '#workspace';
import { failingNames, failingTests } from '../../shared/failing-tests.js';
import type { GatheredFacts } from './gather-facts.js';
import { joinReports } from './package-tests.js';
import type { ProofFailing, ProofRecord } from './proof-record.js';
import type { CheckFacts } from './run-checks.js';

const MOST_NAMES = 50;
/** Every checkpoint carries them. */
const MOST_SENTENCES = 100;

/** What is kept of a judgement: SUMMARY.md and the API show it. */
export function recordOf(facts: GatheredFacts, judgement: Judgement, baseline: VerifyReport): ProofRecord {
  const scope = new Set(facts.plan.scope.map(({ name }) => name));
  const failing = failingNames(facts.verification.result);
  const old = failingTests(baseline).filter(({ name }) => failing.has(name));
  const flaky = new Set(facts.flaky);
  return {
    commit: facts.commit,
    proven: judgement.proven,
    failings: judgement.failings.slice(0, MOST_SENTENCES).map(({ rule, what }) => ({ rule, what })),
    evidence: evidenceOf(facts, baseline).slice(0, MOST_SENTENCES),
    knownFailures: [...new Set([...old.map(({ name }) => name), ...facts.packages.oldFailures])]
      .filter((name) => !scope.has(name) && !flaky.has(name))
      .slice(0, MOST_NAMES),
    flaky: [...flaky].slice(0, MOST_NAMES),
    notes: [
      ...judgement.notes,
      ...(facts.plan.outOfScope ?? []).map(({ name, why }) => `Not part of the request: ${name}. ${why}`),
    ],
  };
}

/** Each command that failed before and passes now, and what an independent agent confirmed. */
function evidenceOf(
  { plan, checks, packages, stillFailing, flaky, unseen = [], inspection, mutant }: GatheredFacts,
  baseline: VerifyReport,
): readonly string[] {
  const failed = failingTests(joinReports(baseline, packages.baseline));
  const commands = new Map(failed.map(({ name, command }) => [name, command]));
  return [
    ...plan.scope
      .filter(({ name }) => ![...stillFailing, ...flaky, ...unseen].includes(name))
      .map(
        ({ name }) =>
          `The test "${name}" failed before and passes now. Command: ${commands.get(name) ?? 'the verify commands'}`,
      ),
    ...checks
      .filter(hasTurnedGreen)
      .map(
        ({ check }) =>
          `The check "${check.title}" failed before and passes now. Command: ${check.command} (its files are in CHECKS.md)`,
      ),
    ...checks
      .filter(hasStayedGreen)
      .map(({ check }) => `The check "${check.title}" passed before and passes now. Command: ${check.command}`),
    ...(inspection?.parts ?? [])
      .filter(({ isDone }) => isDone)
      .map(
        ({ part, why }) =>
          `An agent that did not write the change confirmed "${plan.parts[part - 1]?.title ?? (plan.parts.length > 0 ? 'the new test settings' : 'the request')}": ${why}`,
      ),
    ...(mutant?.kind === 'tried' && mutant.isKilled
      ? [`The new tests fail on a wrong variant of the code: ${mutant.summary}`]
      : []),
  ];
}

/** Red in each run on the base, green in each run on the result. */
const hasTurnedGreen = ({ onBase, onResult }: CheckFacts): boolean =>
  onBase.every(({ kind }) => kind === 'assertion' || kind === 'absent') &&
  onResult.every(({ kind }) => kind === 'green');

const hasStayedGreen = ({ check, onResult }: CheckFacts): boolean =>
  check.red.kind === 'kept' && onResult.every(({ kind }) => kind === 'green');

export const describeFailings = ({ failings }: Judgement): string =>
  failings
    .slice(0, MOST_SENTENCES)
    .map(({ what }) => what)
    .join(' ');

/** What is missing. An agent that reads the result again gives its reason in other words. */
export const describeWithoutReason = ({ rule, what }: ProofFailing): string =>
  rule === 'inspection' ? what.replace(/( is not (?:done|fixed)): .*$/s, '$1') : what;
