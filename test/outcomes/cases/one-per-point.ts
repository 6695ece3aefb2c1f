import type { OutcomeCase } from './case.js';
import { cases } from './index.js';

/** A quick case of each observed failure, a one-line fix, whose calls are counted, and two of work mode. For `npm test`. */
const NAMES: readonly string[] = [
  'bug-reported-as-p0-classic',
  'errand-climbs',
  'change-a-tested-greeting',
  'scenario-only-large-can',
  'errand-runs-out-of-turns',
  'classic-two-steps',
  'changes-a-letter-in-an-errand',
  'comment-instead-of-the-fix',
  'tests-only-without-tests',
  'replaces-assert-equal-errand',
  'playbook-that-does-not-fit',
  'one-line-fix-errand',
  'work-weeks-stay-red-at-first',
  'work-breaks-another-behaviour',
];

export const onePerPoint: readonly OutcomeCase[] = NAMES.flatMap((name) => cases.filter((one) => one.name === name));
