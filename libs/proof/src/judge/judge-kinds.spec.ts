import { describe, expect, it } from 'vitest';
import { CHECK, PART, PROVEN } from './facts.fixture.js';
import { judgeProof } from './judge.js';
import type { PartFacts, ProofFacts } from './proof-facts.js';

const DOCUMENT: PartFacts = { ...PART, title: 'The README says it', kind: 'document', checks: [] };
const TESTS: PartFacts = { ...PART, title: 'A regression test covers it', kind: 'tests', checks: [], hasRedTest: true };
const KEPT: PartFacts = {
  ...PART,
  title: 'All other prices stay',
  checks: [{ ...CHECK, base: 'green', isKept: true }],
};
const CHANGED = { touchesCode: true, touchesTests: true, touchesDocuments: true };

const judge = (parts: readonly PartFacts[], more: Partial<ProofFacts> = {}) =>
  judgeProof({ ...PROVEN, diff: CHANGED, parts, ...more });
const saidOf = (parts: readonly PartFacts[], more: Partial<ProofFacts> = {}) =>
  judge(parts, more).failings.map(({ rule, what, canHeal }) => `${rule}${canHeal ? '+' : ''} ${what}`);

describe('a part without a check that was red', () => {
  it.each([
    ['a document', DOCUMENT],
    ['tests', TESTS],
    ['tests of which nobody can tell whether they fail without the work', { ...PART, kind: 'tests', checks: [] }],
    ['something that stays', KEPT],
  ] as const)('about %s is proven by an agent that confirms it, beside a part that a check proves', (_, part) => {
    expect(judge([PART, part]).proven).toBe('yes');
  });

  it.each([DOCUMENT, TESTS, KEPT])('is not proven by itself: $title', (part) => {
    const alone = `c The part "${part.title}" counts only beside a part that a check proves, and there is none.`;
    expect(saidOf([part])).toEqual([alone]);
    const unproven = { ...PART, checks: [{ ...CHECK, result: 'fails' as const }] };
    expect(saidOf([unproven, part])).toContain(alone);
    expect(judge([DOCUMENT, TESTS, KEPT]).proven).toBe('no');
  });

  it.each([DOCUMENT, TESTS, KEPT])('needs an agent that confirms it: $title', (part) => {
    const unread = saidOf([PART, { ...part, inspection: null }], { needsReader: false });
    expect(unread).toEqual([`c No independent agent confirms the part "${part.title}".`]);
    const refused = saidOf([PART, { ...part, inspection: { isFulfilled: false, reason: 'it is missing' } }]);
    expect(refused).toEqual([`inspection+ An independent agent says that "${part.title}" is not done: it is missing.`]);
  });

  it('is not in the way if a person put off the part that has a check', () => {
    expect(judge([DOCUMENT], { hasPutOff: true }).proven).toBe('yes');
  });
});

it('a part about a document is done by no change that touches none', () => {
  const diff = { ...CHANGED, touchesDocuments: false };
  const without = `c+ The part "${DOCUMENT.title}" asks for a text, but the change touches no document.`;
  expect(saidOf([PART, DOCUMENT], { diff })).toEqual([without]);
  expect(judge([PART, { ...DOCUMENT, isTextInCode: true }], { diff }).proven).toBe('yes');
});

it('a part about tests is done by no change that adds none, and by no test that passes without the work', () => {
  const diff = { ...CHANGED, touchesTests: false };
  expect(saidOf([PART, TESTS], { diff })).toEqual([
    `c+ The part "${TESTS.title}" asks for tests, but the change adds none.`,
  ]);
  expect(saidOf([PART, { ...TESTS, hasRedTest: false }])).toEqual([
    `c+ The new tests of "${TESTS.title}" also pass without the work.`,
  ]);
});

it('a check of something that stays must pass on the result', () => {
  const broken = { ...KEPT, checks: [{ ...CHECK, base: 'green' as const, isKept: true, result: 'fails' as const }] };
  expect(saidOf([PART, broken])).toEqual([
    `c+ The check of "${KEPT.title}" passes without the change and fails with it: node check.mjs.`,
  ]);
});

it('a demand of the request that no part names has to be done, whatever the class of the request', () => {
  const openDemands = [{ quote: 'list the prices in the README', reason: 'README.md has no prices.' }];
  for (const requestClass of ['behaviour', 'keeps-behaviour'] as const) {
    expect(saidOf([PART], { openDemands, requestClass })).toEqual([
      'inspection+ An independent agent says that the request also asks for "list the prices in the README", and it is not done: README.md has no prices.',
    ]);
  }
});
