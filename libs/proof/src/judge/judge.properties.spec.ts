import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHECK, DOCUMENT, PART, PROVEN, REFACTORING, TESTS_ONLY } from './facts.fixture.js';
import { judgeProof } from './judge.js';
import type { BaseResult, ChangedTest, CheckFacts, EndResult, PartFacts, ProofFacts } from './proof-facts.js';

const base = fc.constantFrom<BaseResult>('assertion', 'absent', 'unexplained', 'green', 'broken', 'flaky', 'not-run');
const result = fc.constantFrom<EndResult>('passes', 'fails', 'flaky', 'not-run');
const check: fc.Arbitrary<CheckFacts> = fc.record({
  name: fc.string(),
  author: fc.constantFrom<CheckFacts['author']>('baseline-test', 'other-agent', 'implementer'),
  base,
  result,
});
const inspection = fc.option(fc.record({ isFulfilled: fc.boolean(), reason: fc.string() }));
const part: fc.Arbitrary<PartFacts> = fc.record({
  title: fc.string(),
  checks: fc.oneof(fc.constant([CHECK]), fc.array(check, { maxLength: 3 })),
  inspection,
});
const names = fc.oneof({ weight: 3, arbitrary: fc.constant<string[]>([]) }, fc.array(fc.string(), { maxLength: 3 }));
const changed: fc.Arbitrary<ChangedTest> = fc.record({
  file: fc.string(),
  name: fc.option(fc.string()),
  change: fc.constantFrom<ChangedTest['change']>('removed', 'skipped', 'changed'),
  quote: fc.option(fc.constantFrom('old greeting', 'nothing of this')),
});
const facts: fc.Arbitrary<ProofFacts> = fc.record({
  request: fc.constant(PROVEN.request),
  requestClass: fc.constantFrom<ProofFacts['requestClass']>('behaviour', 'keeps-behaviour', 'document', 'tests-only'),
  diff: fc.record({ touchesCode: fc.boolean(), touchesTests: fc.boolean(), touchesDocuments: fc.boolean() }),
  newFailures: names,
  newFailuresOfBaseTests: names,
  flaky: names,
  scope: fc.array(fc.record({ name: fc.string(), result }), { maxLength: 2 }),
  parts: fc.array(part, { maxLength: 3 }),
  findings: fc.constant([]),
  changedTests: fc.array(changed, { maxLength: 2 }),
  unrunTestFiles: names,
  doctoredCode: fc.constant([]),
  mutants: fc.array(fc.record({ title: fc.string(), isCaught: fc.boolean() }), { maxLength: 2 }),
  needsReader: fc.boolean(),
  isSimulated: fc.boolean(),
});
const anyFacts = fc.oneof(facts, fc.constantFrom(PROVEN, REFACTORING, DOCUMENT, TESTS_ONLY));

/** Each makes the facts worse, or leaves them as they are. */
const worse: readonly ((facts: ProofFacts) => ProofFacts)[] = [
  (one) => ({ ...one, newFailures: [...one.newFailures, 'x'] }),
  (one) => ({ ...one, newFailuresOfBaseTests: [...one.newFailuresOfBaseTests, 'x'] }),
  (one) => ({ ...one, flaky: [...one.flaky, 'x'] }),
  (one) => ({ ...one, scope: [...one.scope, { name: 'x', result: 'fails' }] }),
  (one) => ({ ...one, scope: one.scope.map(({ name }) => ({ name, result: 'fails' })) }),
  // Without any part nothing is proven, so one more could only help.
  (one) => ({ ...one, parts: one.parts.flatMap((each) => [each, { ...PART, checks: [] }]) }),
  (one) => ({ ...one, parts: one.parts.map((each) => ({ ...each, checks: [] })) }),
  (one) => ({ ...one, parts: one.parts.map((each) => ({ ...each, inspection: REFUSED })) }),
  (one) => ({ ...one, parts: one.parts.map((each) => ({ ...each, checks: each.checks.map(toFailing) })) }),
  (one) => ({ ...one, changedTests: [...one.changedTests, { file: 'f', name: null, change: 'removed', quote: null }] }),
  (one) => ({ ...one, changedTests: one.changedTests.map((each) => ({ ...each, quote: null })) }),
  (one) => ({ ...one, unrunTestFiles: [...one.unrunTestFiles, 'x'] }),
  (one) => ({ ...one, doctoredCode: [...one.doctoredCode, { file: 'f', line: 'l', why: 'w' }] }),
  (one) => ({ ...one, mutants: [...one.mutants, { title: 'm', isCaught: false }] }),
  (one) => ({ ...one, needsReader: true }),
  (one) => ({ ...one, parts: one.parts.map((each) => ({ ...each, inspection: null })), needsReader: true }),
  (one) => ({ ...one, diff: { touchesCode: false, touchesTests: false, touchesDocuments: false } }),
];
const REFUSED = { isFulfilled: false, reason: 'no' };
const toFailing = (each: CheckFacts): CheckFacts => ({ ...each, result: 'fails' });

describe('judgeProof: any facts', () => {
  it('never turns no into yes if the facts get worse', () => {
    fc.assert(
      fc.property(anyFacts, fc.array(fc.constantFrom(...worse), { minLength: 1, maxLength: 4 }), (one, changes) => {
        const after = changes.reduce((facts, change) => change(facts), one);
        if (judgeProof(one).proven === 'no') expect(judgeProof(after).proven).not.toBe('yes');
      }),
      { numRuns: 1_000 },
    );
  });

  it('says yes only without a failing, and no only with one', () => {
    fc.assert(
      fc.property(anyFacts, (one) => {
        const { proven, failings } = judgeProof(one);
        if (proven !== 'simulated') expect(proven).toBe(failings.length === 0 ? 'yes' : 'no');
        expect(proven === 'simulated').toBe(one.isSimulated);
      }),
    );
  });

  it('writes plain sentences that end with a full stop', () => {
    fc.assert(
      fc.property(anyFacts, (one) => {
        const { failings, notes } = judgeProof(one);
        expect([...failings.map(({ what }) => what), ...notes].filter((text) => !/^[A-Z].*\.$/s.test(text))).toEqual(
          [],
        );
      }),
    );
  });
});
