import { effectiveClass } from '../effective-class.js';
import type { Rule } from '../proof-facts.js';
import { isExcused } from '../quotes.js';
import { listNames } from '../wording.js';

/**
 * Rule (b): each baseline failure in scope passes. A flaky one is neither proof nor failure. Documents and new tests
 * make no test pass, so a failure that only shares a name with such a request does not count.
 */
export const scopePasses: Rule = (facts) => {
  const judgedAs = effectiveClass(facts);
  const countsGuesses = judgedAs === 'behaviour' || judgedAs === 'keeps-behaviour';
  const named = (result: string): readonly string[] =>
    facts.scope
      .filter((one) => one.result === result && (countsGuesses || one.isGuess !== true))
      .map(({ name }) => name);
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
