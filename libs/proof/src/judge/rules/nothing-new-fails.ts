import type { Rule } from '../proof-facts.js';
import { isExcused } from '../quotes.js';
import { listNames } from '../wording.js';

/** Rule (a): nothing fails that passed before. */
export const nothingNewFails: Rule = ({ newFailures, newFailuresOfBaseTests, changedTests, request }) => {
  const ofBase = newFailuresOfBaseTests.filter((name) => !isExcused(name, changedTests, request));
  return [
    ...failingIfAny('Passed before the change and fails now', newFailures),
    ...failingIfAny('The tests as they were before the change fail now', ofBase),
  ];
};

const failingIfAny = (text: string, names: readonly string[]): ReturnType<Rule> =>
  names.length === 0 ? [] : [{ rule: 'a', what: `${text}: ${listNames(names)}.`, canHeal: true }];
