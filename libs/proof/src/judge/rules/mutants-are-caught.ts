import { effectiveClass } from '../effective-class.js';
import type { Rule } from '../proof-facts.js';
import { listNames, toEnd } from '../wording.js';

/** New tests must fail on wrong variants of the code. */
export const mutantsAreCaught: Rule = (facts) => {
  if (effectiveClass(facts) !== 'tests-only') return [];
  if (facts.mutants.length === 0) {
    return [{ rule: 'mutant', what: 'The new tests were not tried on a wrong variant of the code.', canHeal: false }];
  }
  const missed = facts.mutants.filter(({ isCaught }) => !isCaught).map(({ title }) => title);
  if (missed.length === 0) return [];
  return [
    {
      rule: 'mutant',
      what: `The new tests also pass if the code is wrong: ${toEnd(listNames(missed))}`,
      canHeal: true,
    },
  ];
};
