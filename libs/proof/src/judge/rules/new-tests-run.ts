import type { Rule } from '../proof-facts.js';
import { listNames } from '../wording.js';

/** A new test file that no verify command runs proves nothing, but looks as if it did. */
export const newTestsRun: Rule = ({ unrunTestFiles }) =>
  unrunTestFiles.length === 0
    ? []
    : [
        {
          rule: 'unrun',
          what: `No verify command runs these new test files: ${listNames(unrunTestFiles)}.`,
          canHeal: true,
        },
      ];
