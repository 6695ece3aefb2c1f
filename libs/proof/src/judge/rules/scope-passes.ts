import { effectiveClass } from '../effective-class.js';
import type { Rule } from '../proof-facts.js';
import { isExcused } from '../quotes.js';
import { listNames } from '../wording.js';

/**
 * Rule (b): each baseline failure in scope passes. A flaky one is neither proof nor failure. A refactoring may have
 * failures in scope too. Documents and new tests make no test pass.
 */
export const scopePasses: Rule = (facts) => {
  const judgedAs = effectiveClass(facts);
  if (judgedAs !== 'behaviour' && judgedAs !== 'keeps-behaviour') return [];
  const named = (result: string): readonly string[] =>
    facts.scope.filter((one) => one.result === result).map(({ name }) => name);
  const texts = [
    ['The request needs this test to pass, and it still fails', named('fails')],
    [
      'The request needs this test to pass, and it no longer runs',
      named('not-run').filter((name) => !isExcused(name, facts.changedTests, facts.request)),
    ],
  ] as const;
  return texts.flatMap(([text, names]) =>
    names.length === 0 ? [] : [{ rule: 'b' as const, what: `${text}: ${listNames(names)}.`, canHeal: true }],
  );
};
