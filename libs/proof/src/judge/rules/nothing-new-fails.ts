import type { Rule } from '../proof-facts.js';
import { isExcused } from '../quotes.js';
import { listNames } from '../wording.js';

/** Rule (a): nothing fails that passed before, and nothing stops running. */
export const nothingNewFails: Rule = ({
  newFailures,
  newFailuresOfBaseTests,
  lostTests = [],
  changedTests,
  request,
}) => {
  const ofBase = newFailuresOfBaseTests.filter((name) => !isExcused(name, changedTests, request));
  return [
    ...failingIfAny('This passed before the change and fails now', newFailures),
    ...failingIfAny('The old version of this test fails on the new code', ofBase),
    ...failingIfAny('This ran before the change and no longer runs', lostTests),
  ];
};

const failingIfAny = (text: string, names: readonly string[]): ReturnType<Rule> =>
  names.length === 0 ? [] : [{ rule: 'a', what: `${text}: ${listNames(names)}.`, canHeal: true }];
