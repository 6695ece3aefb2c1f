import type { CheckFacts, PartFacts, ProofFacts } from './proof-facts.js';

export const CHECK: CheckFacts = { name: 'node check.mjs', author: 'other-agent', base: 'assertion', result: 'passes' };

export const PART: PartFacts = {
  title: 'Round prices up',
  checks: [CHECK],
  inspection: { isFulfilled: true, reason: 'It is done.' },
};

/** A change of behaviour that is proven. */
export const PROVEN: ProofFacts = {
  request: 'Round prices up, and remove the old greeting.',
  requestClass: 'behaviour',
  diff: { touchesCode: true, touchesTests: true, touchesDocuments: false },
  newFailures: [],
  newFailuresOfBaseTests: [],
  flaky: [],
  scope: [{ name: 'test/price.test.mjs: rounds', result: 'passes' }],
  parts: [PART],
  findings: [],
  changedTests: [],
  unrunTestFiles: [],
  doctoredCode: [],
  mutants: [],
  needsReader: true,
  isSimulated: false,
};

const INSPECTED: PartFacts = { ...PART, checks: [] };

export const REFACTORING: ProofFacts = { ...PROVEN, requestClass: 'keeps-behaviour', scope: [], parts: [INSPECTED] };

export const DOCUMENT: ProofFacts = {
  ...REFACTORING,
  requestClass: 'document',
  diff: { touchesCode: false, touchesTests: false, touchesDocuments: true },
};

export const TESTS_ONLY: ProofFacts = {
  ...PROVEN,
  requestClass: 'tests-only',
  diff: { touchesCode: false, touchesTests: true, touchesDocuments: false },
  scope: [],
  parts: [INSPECTED],
  mutants: [{ title: 'rounds down', isCaught: true }],
};
