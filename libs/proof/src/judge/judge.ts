import { effectiveClass } from './effective-class.js';
import type { Judgement, ProofFacts, RequestClass, Rule } from './proof-facts.js';
import { isContradicted } from './quotes.js';
import { diffFitsClass } from './rules/diff-fits-class.js';
import { inspectionAgrees } from './rules/inspection-agrees.js';
import { mutantsAreCaught } from './rules/mutants-are-caught.js';
import { newTestsRun } from './rules/new-tests-run.js';
import { noDoctoredCode } from './rules/no-doctored-code.js';
import { nothingNewFails } from './rules/nothing-new-fails.js';
import { partsAreChecked } from './rules/parts-are-checked.js';
import { scopePasses } from './rules/scope-passes.js';
import { describeChange, testsAreKept } from './rules/tests-are-kept.js';
import { listNames, toEnd, toLine } from './wording.js';

const RULES: readonly Rule[] = [
  nothingNewFails,
  scopePasses,
  partsAreChecked,
  testsAreKept,
  diffFitsClass,
  inspectionAgrees,
  mutantsAreCaught,
  newTestsRun,
  noDoctoredCode,
];

/** Decides whether a change is proven. Work of a simulated model proves nothing, whatever the facts. */
export function judgeProof(facts: ProofFacts): Judgement {
  const failings = RULES.flatMap((rule) => rule(facts));
  const proven = facts.isSimulated ? 'simulated' : failings.length === 0 ? 'yes' : 'no';
  return { proven, failings, notes: notesOn(facts) };
}

function notesOn(facts: ProofFacts): readonly string[] {
  const flakyInScope = facts.scope.filter(({ result }) => result === 'flaky').map(({ name }) => name);
  const flaky = [...new Set([...facts.flaky, ...flakyInScope])];
  const accepted = facts.changedTests.filter((test) => isContradicted(facts.request, test));
  const isOtherClass = effectiveClass(facts) !== facts.requestClass;
  return [
    ...(isOtherClass
      ? [
          `The plan expected ${expectation(facts.requestClass)}, but the diff does more. It is judged as a change of behaviour.`,
        ]
      : []),
    ...accepted.map((test) => `${describeChange(test)}, because the request says "${toLine(test.quote ?? '')}".`),
    ...facts.findings.flatMap(({ title, relation, inspection }) =>
      relation === 'aside' && inspection?.isFulfilled === false
        ? [`The finding "${toLine(title)}" is not part of the request and is not fixed: ${toEnd(inspection.reason)}`]
        : [],
    ),
    ...(flaky.length > 0 ? [`Flaky, so neither proof nor failure: ${listNames(flaky)}.`] : []),
  ];
}

function expectation(requestClass: RequestClass): string {
  switch (requestClass) {
    case 'document':
      return 'a change of documents';
    case 'tests-only':
      return 'new tests only';
    case 'keeps-behaviour':
      return 'the same behaviour';
    case 'behaviour':
      return 'a change of behaviour';
  }
}
