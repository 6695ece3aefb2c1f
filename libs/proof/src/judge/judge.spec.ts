import { describe, expect, it } from 'vitest';
import { CHECK, DOCUMENT, PART, PROVEN, REFACTORING, TESTS_ONLY } from './facts.fixture.js';
import { judgeProof } from './judge.js';
import type { CheckFacts, Failing, ProofFacts } from './proof-facts.js';

const judge = (facts: Partial<ProofFacts>, from: ProofFacts = PROVEN) => judgeProof({ ...from, ...facts });
const rulesOf = (failings: readonly Failing[]): readonly string[] => failings.map(({ rule }) => rule);
const withCheck = (check: Partial<CheckFacts>): Partial<ProofFacts> => ({
  parts: [{ ...PART, checks: [{ ...CHECK, ...check }] }],
});

describe('judgeProof: what is proven', () => {
  it.each([
    ['a change of behaviour', PROVEN],
    ['a refactoring', REFACTORING],
    ['a document', DOCUMENT],
    ['tests', TESTS_ONLY],
  ])('accepts %s', (_, facts) => {
    expect(judgeProof(facts)).toEqual({ proven: 'yes', failings: [], notes: [] });
  });

  it('accepts a failing test of the baseline as the check', () => {
    expect(judge(withCheck({ author: 'baseline-test' })).proven).toBe('yes');
    expect(judge(withCheck({ author: 'baseline-test', base: 'unexplained' })).proven).toBe('yes');
  });

  it('accepts a check that is red because the diff adds what was missing', () => {
    expect(judge(withCheck({ base: 'absent' })).proven).toBe('yes');
  });

  it('calls the work of a simulated model simulated, whatever the facts', () => {
    expect(judge({ isSimulated: true }).proven).toBe('simulated');
    expect(judge({ isSimulated: true, newFailures: ['x'] })).toMatchObject({
      proven: 'simulated',
      failings: [{ rule: 'a' }],
    });
  });
});

describe('judgeProof: rule (a)', () => {
  it('refuses a new failure', () => {
    expect(judge({ newFailures: ['test/a.test.mjs: adds'] })).toEqual({
      proven: 'no',
      failings: [
        { rule: 'a', what: 'This passed before the change and fails now: test/a.test.mjs: adds.', canHeal: true },
      ],
      notes: [],
    });
  });

  it('refuses a new failure of the tests of the base', () => {
    const { proven, failings } = judge({ newFailuresOfBaseTests: ['test/a.test.mjs: adds'] });
    expect(proven).toBe('no');
    expect(failings[0]?.what).toBe('The old version of this test fails on the new code: test/a.test.mjs: adds.');
  });

  it('refuses tests that no longer run', () => {
    const { proven, failings } = judge({ lostTests: ['test/a.test.mjs'] });
    expect(proven).toBe('no');
    expect(failings).toEqual([
      { rule: 'a', what: 'This ran before the change and no longer runs: test/a.test.mjs.', canHeal: true },
    ]);
  });

  it('shows at most ten names', () => {
    const newFailures = Array.from({ length: 12 }, (_, nth) => `t${String(nth)}`);
    expect(judge({ newFailures }).failings[0]?.what).toMatch(/t9 and 2 more\.$/);
  });

  const removed = {
    file: 'test/old.test.mjs',
    name: 'greets',
    change: 'removed',
    quote: 'remove the old greeting',
  } as const;
  it.each([
    ['test/old.test.mjs: greets', true],
    ['test/old.test.mjs', true],
    ['./test/old.test.mjs: Test suite failed to run', true],
    ['test/old.test.mjs [ test/old.test.mjs ]', true],
    ['greets', true],
    ['test/old.test.mjs: something else', false],
    ['test/other.test.mjs: greets', false],
    ['test/very-old.test.mjs: greets', false],
  ])('excuses a test of the base that the request contradicts: %s is %s', (failure, isExcused) => {
    const facts = { changedTests: [removed], newFailuresOfBaseTests: [failure] };
    expect(judge(facts).proven).toBe(isExcused ? 'yes' : 'no');
    expect(judge({ ...facts, changedTests: [{ ...removed, quote: null }] }).proven).toBe('no');
  });

  it('never excuses a failure of the tests of the result', () => {
    expect(judge({ changedTests: [removed], newFailures: ['test/old.test.mjs: greets'] }).proven).toBe('no');
  });
});

describe('judgeProof: rule (b)', () => {
  it.each(['fails', 'not-run'] as const)('refuses a failure in scope that %s', (result) => {
    const { proven, failings } = judge({ scope: [{ name: 'rounds', result }] });
    expect([proven, rulesOf(failings)]).toEqual(['no', ['b']]);
  });

  it('accepts a test in scope that is gone because the request contradicts it', () => {
    const scope = [{ name: 'test/old.test.mjs: greets', result: 'not-run' }] as const;
    const test = { file: 'test/old.test.mjs', name: 'greets', change: 'removed' } as const;
    expect(judge({ scope, changedTests: [{ ...test, quote: 'old greeting' }] }).proven).toBe('yes');
    expect(judge({ scope, changedTests: [{ ...test, quote: null }] }).proven).toBe('no');
  });

  it('notes a flaky test in scope and goes on', () => {
    expect(judge({ scope: [{ name: 'rounds', result: 'flaky' }] })).toMatchObject({
      proven: 'yes',
      notes: ['Flaky, so neither proof nor failure: rounds.'],
    });
  });

  it('asks it of refactorings too: the plan may put failures in scope', () => {
    const { proven, failings } = judge({ scope: [{ name: 'rounds', result: 'fails' }] }, REFACTORING);
    expect([proven, rulesOf(failings)]).toEqual(['no', ['b']]);
  });

  it.each([
    ['documents', DOCUMENT],
    ['new tests', TESTS_ONLY],
  ])('asks it of %s only if the failure is no guess', (_title, facts) => {
    expect(judge({ scope: [{ name: 'rounds', result: 'fails', isGuess: true }] }, facts).proven).toBe('yes');
    expect(judge({ scope: [{ name: 'rounds', result: 'fails' }] }, facts).proven).toBe('no');
  });

  it('asks it of a change of behaviour, though the failure is a guess', () => {
    expect(judge({ scope: [{ name: 'rounds', result: 'fails', isGuess: true }] }).proven).toBe('no');
  });
});

describe('judgeProof: rule (c)', () => {
  it.each<[string, Partial<CheckFacts>, boolean, RegExp]>([
    ['the implementer wrote', { author: 'implementer' }, false, /has no check by another agent/],
    ['passes on the base', { base: 'green' }, false, /passes without the change/],
    ['is broken on the base', { base: 'broken' }, false, /broken without the change/],
    ['is red for something the change does not add', { base: 'unexplained' }, false, /does not add what it misses/],
    [
      'is flaky on the base',
      { base: 'flaky' },
      false,
      /sometimes passes and sometimes fails without the changed sources/,
    ],
    ['did not run on the base', { base: 'not-run' }, false, /did not run/],
    ['fails on the result', { result: 'fails' }, true, /still fails with the change/],
    ['is flaky on the result', { result: 'flaky' }, true, /flaky/],
    ['did not run on the result', { result: 'not-run' }, false, /did not run/],
  ])('refuses a check that %s', (_, check, canHeal, what) => {
    const { proven, failings } = judge(withCheck(check));
    expect([proven, rulesOf(failings), failings[0]?.canHeal]).toEqual(['no', ['c'], canHeal]);
    expect(failings[0]?.what).toMatch(what);
    expect(failings[0]?.what).toContain('Round prices up');
  });

  it('refuses a part without a check, and a plan without parts', () => {
    expect(rulesOf(judge({ parts: [{ ...PART, checks: [] }] }).failings)).toEqual(['c']);
    expect(rulesOf(judge({ parts: [] }).failings)).toEqual(['c']);
    expect(rulesOf(judge({ parts: [PART, { ...PART, title: 'b', checks: [] }] }).failings)).toEqual(['c']);
  });

  it('refuses a part if one of its checks fails, though another one proves it', () => {
    const parts = [{ ...PART, checks: [CHECK, { ...CHECK, name: 'other', result: 'fails' as const }] }];
    expect(judge({ parts }).proven).toBe('no');
  });

  it('ignores a check that is broken on both sides if another one proves the part', () => {
    const parts = [{ ...PART, checks: [CHECK, { ...CHECK, base: 'broken' as const, result: 'fails' as const }] }];
    expect(judge({ parts }).proven).toBe('yes');
  });
});

describe('judgeProof: rule (d)', () => {
  const change = { file: 'test/a.test.mjs', name: 'greets', change: 'changed' } as const;
  it.each([
    ['remove the old greeting', 'yes'],
    ['REMOVE   the\nold greeting', 'yes'],
    ['old', 'no'],
    ['', 'no'],
    [null, 'no'],
    ['delete the greeting', 'no'],
    ['. ,', 'no'],
    ['Round prices up', 'no'],
    ['emove the old greet', 'no'],
    ['prices up, and remove', 'no'],
  ])('judges a changed test by the quote %j: %s', (quote, proven) => {
    const judgement = judge({ changedTests: [{ ...change, quote }] });
    expect(judgement.proven).toBe(proven);
    expect(rulesOf(judgement.failings)).toEqual(proven === 'yes' ? [] : ['d']);
  });

  it.each([
    ['a word of its name', { name: 'rounds the price' }],
    ['its path', { file: 'test/price.test.mjs' }],
    ['what it asserts', { text: 'assert.equal(price(1.2), 1)' }],
  ])('accepts words of the request that name %s', (_title, more) => {
    expect(judge({ changedTests: [{ ...change, quote: 'Round prices up', ...more }] }).proven).toBe('yes');
  });

  it('says what was done with the test', () => {
    expect(judge({ changedTests: [{ ...change, change: 'skipped', quote: null }] }).failings[0]?.what).toBe(
      'The test "greets" in test/a.test.mjs is skipped, and nothing in the request asks for that.',
    );
    expect(judge({ changedTests: [{ ...change, quote: 'old greeting' }] }).notes).toEqual([
      'The test "greets" in test/a.test.mjs is changed, because the request says "old greeting".',
    ]);
  });
});

describe('judgeProof: the other rules', () => {
  it('refuses a test file that no command runs', () => {
    expect(rulesOf(judge({ unrunTestFiles: ['test/new.mjs'] }).failings)).toEqual(['unrun']);
  });

  it('refuses doctored code', () => {
    const doctoredCode = [{ file: 'src/a.js', line: 'assert.equal = noop', why: 'This code replaces a function.' }];
    expect(rulesOf(judge({ doctoredCode }).failings)).toEqual(['doctored']);
  });

  it('refuses a refactoring or document without an inspection of each part', () => {
    const parts = [{ ...PART, inspection: null }];
    expect(judge({ parts }, REFACTORING).failings).toMatchObject([{ rule: 'inspection', canHeal: false }]);
    expect(judge({ parts }, DOCUMENT).failings).toMatchObject([{ rule: 'inspection', canHeal: false }]);
    expect(judge({ parts: [] }, DOCUMENT).failings).toMatchObject([{ rule: 'inspection', canHeal: false }]);
  });

  it('refuses a change of behaviour without an inspection of each part, unless it is a small substitution', () => {
    const parts = [{ ...PART, inspection: null }];
    expect(judge({ parts }).failings).toMatchObject([{ rule: 'inspection', canHeal: false }]);
    expect(judge({ parts, needsReader: false }).proven).toBe('yes');
    expect(judge({ parts, needsReader: false }, REFACTORING).proven).toBe('no');
  });

  it('refuses a part that an inspection calls unfulfilled, whatever the class', () => {
    const inspection = { isFulfilled: false, reason: 'Only one letter changed' };
    for (const from of [PROVEN, REFACTORING, DOCUMENT, TESTS_ONLY]) {
      const { failings } = judge({ parts: [{ ...PART, inspection }] }, from);
      expect(failings).toContainEqual({
        rule: 'inspection',
        what: 'An independent agent says that "Round prices up" is not done: Only one letter changed.',
        canHeal: true,
      });
    }
  });

  it('refuses an unfixed finding of the request, and only notes one that is aside', () => {
    const inspection = { isFulfilled: false, reason: 'It is still there.' };
    const finding = { title: 'Leak', relation: 'before', inspection } as const;
    expect(rulesOf(judge({ findings: [finding] }).failings)).toEqual(['inspection']);
    expect(judge({ findings: [{ ...finding, relation: 'aside' }] })).toMatchObject({
      proven: 'yes',
      notes: ['The finding "Leak" is not part of the request and is not fixed: It is still there.'],
    });
  });

  it('refuses tests that no wrong variant of the code fails', () => {
    expect(judge({ mutants: [] }, TESTS_ONLY).failings).toMatchObject([{ rule: 'mutant', canHeal: false }]);
    expect(judge({ mutants: [{ title: 'rounds down', isCaught: false }] }, TESTS_ONLY).failings).toMatchObject([
      { rule: 'mutant', canHeal: true },
    ]);
  });

  it.each([
    ['an empty change', PROVEN, { touchesCode: false, touchesTests: false, touchesDocuments: false }],
    ['tests that are none', TESTS_ONLY, { touchesCode: false, touchesTests: false, touchesDocuments: true }],
  ])('refuses %s', (_, from, diff) => {
    expect(rulesOf(judge({ diff }, from).failings)).toEqual(['class']);
  });

  it('judges a diff that leaves its class as behaviour', () => {
    const diff = { touchesCode: true, touchesTests: false, touchesDocuments: true };
    const { proven, failings, notes } = judge({ diff }, DOCUMENT);
    expect([proven, rulesOf(failings)]).toEqual(['no', ['c']]);
    expect(notes).toEqual([
      'The plan expected a change of documents, but the diff does more. It is judged as a change of behaviour.',
    ]);
    expect(judge({ diff, parts: [PART] }, DOCUMENT).proven).toBe('yes');
    expect(rulesOf(judge({ diff }, TESTS_ONLY).failings)).toEqual(['c']);
  });

  it('notes flaky tests', () => {
    expect(judge({ flaky: ['x', 'y'] }).notes).toEqual(['Flaky, so neither proof nor failure: x, y.']);
  });
});
