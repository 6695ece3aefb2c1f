import { jobs } from '../targets/index.js';
import { everyTier, type OutcomeCase, person, wrong } from './case.js';

const CONTRADICTION =
  'Let ms parse months, where "1 month" is exactly 30 days. Also, "1 month" is exactly 31 days. Both must hold.';

/** Only a person can help, and the question says with what. */
export const personCases: readonly OutcomeCase[] = [
  person({
    name: 'contradictory-request',
    job: {
      target: jobs.addMonths.target,
      task: {
        ...jobs.addMonths.task,
        request: CONTRADICTION,
        findings: [],
        parts: ['30', '31'].map((days) => ({
          title: `a month has ${days} days`,
          interface: 'require("./index.js")("1 month")',
          check: {
            file: `check-${days}.test.js`,
            content: `require('node:assert').equal(require('./index.js')('1 month'), ${days} * 86400000);\n`,
            command: `node --test check-${days}.test.js`,
          },
        })),
      },
    },
    does: everyTier(wrong(jobs.addMonths, 'thirty-one days')),
    asks: /The check "a month has 30 days" still fails/,
  }),
  person({
    name: 'cap-too-small',
    job: jobs.addExabytes,
    start: { budget: { usd: '0.000100' } },
    asks: /The budget is too small/,
  }),
  person({
    name: 'no-tier-can',
    job: jobs.fixWeeks,
    does: {
      small: wrong(jobs.fixWeeks, 'six days'),
      medium: wrong(jobs.fixWeeks, 'eight days'),
      large: wrong(jobs.fixWeeks, 'six days'),
    },
    asks: /The test "parses weeks" still fails/,
  }),
  person({
    name: 'no-tier-can-errand',
    job: jobs.fixStrict,
    mode: 'errand',
    protocol: 'openai',
    does: everyTier(wrong(jobs.fixStrict, 'keeps all')),
    asks: /it still fails: strict keeps the words apart/,
  }),
];
