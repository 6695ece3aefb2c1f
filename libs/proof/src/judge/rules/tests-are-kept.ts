import type { ChangedTest, Rule } from '../proof-facts.js';
import { isContradicted } from '../quotes.js';
import { toLine } from '../wording.js';

/** Rule (d): a test that existed is removed, skipped or changed only if the request contradicts it. */
export const testsAreKept: Rule = ({ changedTests, request }) =>
  changedTests
    .filter((test) => !isContradicted(request, test))
    .map((test) => ({
      rule: 'd',
      what: `${describeChange(test)}, and nothing in the request asks for that.`,
      canHeal: true,
    }));

export function describeChange({ file, name, change }: ChangedTest): string {
  if (file === '' && name !== null) return `The test "${toLine(name)}" is ${change}`;
  const test = name === null ? `The test "${toLine(file)}"` : `The test "${toLine(name)}" in ${toLine(file)}`;
  return `${test} is ${change}`;
}
