import type { Rule } from '../proof-facts.js';
import { toLine } from '../wording.js';

/** Code that is no test must not touch assertion libraries, runners or their variables. */
export const noDoctoredCode: Rule = ({ doctoredCode }) =>
  doctoredCode.map(({ file, line, why }) => ({
    rule: 'doctored',
    what: `The file ${toLine(file)} makes tests unreliable. ${toLine(why)} The line is: ${toLine(line)}`,
    canHeal: true,
  }));
