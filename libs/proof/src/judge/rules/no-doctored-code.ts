import type { DoctoredFacts, Rule } from '../proof-facts.js';
import { isAskedFor } from '../quotes.js';
import { toLine } from '../wording.js';

/**
 * Code that is no test must not touch assertion libraries, runners or their variables. It may look at a variable of the
 * environment if the request asks for that by its name.
 */
export const noDoctoredCode: Rule = ({ doctoredCode, request }) =>
  doctoredCode
    .filter((line) => !isRequested(request, line))
    .map(({ file, line, why }) => ({
      rule: 'doctored',
      what: `The file ${toLine(file)} makes tests unreliable. ${toLine(why)} The line is: ${toLine(line)}`,
      canHeal: true,
    }));

const isRequested = (request: string, { quote = null, names = [] }: DoctoredFacts): boolean =>
  isAskedFor(request, quote, names);
