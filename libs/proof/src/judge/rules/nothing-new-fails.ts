import type { Rule } from '../proof-facts.js';
import { isAskedFor, isExcused } from '../quotes.js';
import { listNames } from '../wording.js';

/** Rule (a): nothing fails that passed before, and nothing stops running. */
export const nothingNewFails: Rule = ({
  newFailures,
  newFailuresOfBaseTests,
  lostTests = [],
  removedCommands = [],
  neededSettings,
  changedTests,
  request,
}) => {
  const ofBase = newFailuresOfBaseTests.filter((name) => !isExcused(name, changedTests, request));
  const gone = removedCommands.filter(({ command, quote }) => !isAskedFor(request, quote, [scriptOf(command)]));
  const settings = neededSettings?.inspection?.isFulfilled === true ? [] : (neededSettings?.files ?? []);
  return [
    ...failingIfAny('Old tests pass only with new test settings, and no independent agent confirms these', settings),
    ...failingIfAny('This passed before the change and fails now', newFailures),
    ...failingIfAny('The old version of this test fails on the new code', ofBase),
    ...failingIfAny('This ran before the change and no longer runs', [
      ...lostTests,
      ...gone.map(({ command }) => command),
    ]),
  ];
};

/** The script that a package manager runs, or the command as a whole. */
const scriptOf = (command: string): string =>
  /(?:^|\s)(?:npm|pnpm|yarn|bun)(?: run)? ([\w:.-]+)$/.exec(command)?.[1] ?? command;

const failingIfAny = (text: string, names: readonly string[]): ReturnType<Rule> =>
  names.length === 0 ? [] : [{ rule: 'a', what: `${text}: ${listNames(names)}.`, canHeal: true }];
