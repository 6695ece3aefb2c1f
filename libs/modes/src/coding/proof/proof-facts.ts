import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import {
  type ChangedTest,
  type CheckFacts as JudgedCheck,
  type EndResult,
  isTextInCode,
  type PartFacts,
  type ProofFacts,
  toBaseResult,
  toEndResult,
} from '#proof';
import type { WorktreeDiff } from '#workspace';
import { findingsOf } from '../coding-context.js';
import { contextOf } from '../context.js';
import { specialKindOf } from '../scoping/kinds-of-parts.js';
import type { GatheredFacts } from './gather-facts.js';
import { describeDoctored, quoteFor } from './listed-tests.js';
import type { Inspection } from './proof-record.js';
import type { CheckFacts } from './run-checks.js';

/** What was gathered, in the terms of the judge. */
export function proofFactsOf(activity: ActivityContext, facts: GatheredFacts, patch: JsonObject): ProofFacts {
  const { plan, changed, verification, packages, baseTests, inspection, mutant } = facts;
  return {
    request: activity.project.request,
    requestClass: plan.class,
    diff: {
      touchesCode: changed.touchesCode,
      touchesTests: changed.touchesTests,
      touchesDocuments: changed.touchesDocuments,
    },
    newFailures: [...verification.comparison.newFailures, ...packages.newFailures],
    newFailuresOfBaseTests: baseTests.newFailures,
    lostTests: facts.lostTests,
    ...((baseTests.neededSettings ?? []).length > 0 && {
      neededSettings: {
        files: baseTests.neededSettings ?? [],
        inspection: inspectionOf(inspection?.parts.find(({ part }) => part === plan.parts.length + 1)),
      },
    }),
    removedCommands: (facts.removedCommands ?? []).map((command) => ({
      command,
      quote: quoteFor({ words: command }, inspection),
    })),
    flaky: facts.flaky,
    scope: plan.scope.map(({ name, isGuess = false }) => ({ name, result: resultOf(facts, name), isGuess })),
    parts: plan.parts.map((part, index) => {
      const { title, failingTests } = part;
      const kind = specialKindOf(part);
      const look = inspection?.parts.find((one) => one.part === index + 1);
      return {
        title,
        ...(kind !== null && { kind }),
        ...(kind === 'document' && { isTextInCode: isTextInCode(part) }),
        ...(kind === 'tests' && facts.hasRedTest != null && { hasRedTest: facts.hasRedTest }),
        checks: [
          ...failingTests.map((name) => baselineCheck(facts, name)),
          ...facts.checks
            .filter(({ check }) => check.part === index + 1)
            .map((check) => authoredCheck(check, facts.diff)),
        ],
        inspection: inspectionOf(look),
      };
    }),
    openDemands: (inspection?.demands ?? []).map(({ quote, why }) => ({ quote, reason: why })),
    findings: findingsOf(activity).flatMap(({ id, title, relation, priority }) => {
      // What is only worth considering is read, and holds nothing up.
      if (priority === 'P2') return [];
      const look = inspection?.findings.find((one) => one.id === id);
      return look ? [{ title, relation, inspection: { isFulfilled: look.isFixed, reason: look.why } }] : [];
    }),
    changedTests: facts.changedTests.map((test): ChangedTest => {
      const { file, name, change, text } = test;
      return { file, name, change, text, quote: quoteFor(test, inspection) };
    }),
    unrunTestFiles: facts.unrunTestFiles,
    doctoredCode: facts.doctored.map((line) => ({
      ...line,
      quote: quoteFor({ words: describeDoctored(line) }, inspection),
    })),
    mutants: mutant?.kind === 'tried' ? [{ title: mutant.summary, isCaught: mutant.isKilled }] : [],
    needsReader: facts.needsReader,
    isSimulated: contextOf(activity).simulated === true || patch['simulated'] === true,
  };
}

const inspectionOf = (look: Inspection['parts'][number] | undefined): PartFacts['inspection'] =>
  look ? { isFulfilled: look.isDone, reason: look.why } : null;

function resultOf({ stillFailing, flaky, unseen = [] }: GatheredFacts, name: string): EndResult {
  if (flaky.includes(name)) return 'flaky';
  if (unseen.includes(name)) return 'not-run';
  return stillFailing.includes(name) ? 'fails' : 'passes';
}

/** A failing test of the baseline proves its part if the change left the test as it was, or its old version passes too. */
const baselineCheck = (facts: GatheredFacts, name: string): JudgedCheck => ({
  name,
  author: 'baseline-test',
  base: facts.flaky.includes(name) ? 'flaky' : 'assertion',
  result: resultOf(facts, name),
});

const authoredCheck = (
  { check, onBase, onResult, isBesideSources = false }: CheckFacts,
  diff: WorktreeDiff,
): JudgedCheck => ({
  name: check.title,
  author: 'other-agent',
  base: toBaseResult(onBase, diff),
  result: toEndResult(onResult),
  ...(isBesideSources && { isBesideSources }),
  ...(check.red.kind === 'kept' && { isKept: true }),
});
