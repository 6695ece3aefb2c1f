import { effectiveClass } from '../effective-class.js';
import type { Rule } from '../proof-facts.js';

/** A change must change something, and a change of tests must change tests. */
export const diffFitsClass: Rule = (facts) => {
  const { touchesCode, touchesTests, touchesDocuments } = facts.diff;
  if (!touchesCode && !touchesTests && !touchesDocuments) return [failing('The change is empty.')];
  const isWithoutTests = effectiveClass(facts) === 'tests-only' && !touchesTests;
  return isWithoutTests ? [failing('The request asks for tests, but the change adds none.')] : [];
};

const failing = (what: string) => ({ rule: 'class', what, canHeal: true }) as const;
