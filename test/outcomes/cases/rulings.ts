import { type Job, jobs } from '../targets/index.js';
import { imports, nodeCheck, nodeTest } from '../targets/target.js';
import { everyTier, lie, type OutcomeCase, solvable, wrong } from './case.js';
import { errand, openai } from './lie-parts.js';

/** Its check lies in the folder of checks, from where the program is one folder up. */
const CHECK_FILE = '.qralph-checks/months.test.cjs';
const monthsCheck = (module: string) =>
  nodeCheck(CHECK_FILE, nodeTest('ms', module, { months: "assert.equal(ms('4 months') * 3, ms('1 year'));" }));
const withCheck = (job: Job): Job => ({
  ...job,
  task: {
    ...job.task,
    findings: [],
    parts: job.task.parts.map((part) => ({ ...part, check: monthsCheck('../index.js') })),
  },
});
const months = withCheck(jobs.addMonths);
const WRONG_PATH = { kind: 'wrong-check', times: 1, check: monthsCheck('./index.js') } as const;

/** A program or an agent judges too strictly, and another agent has to be heard. */
export const strictlyJudged: readonly OutcomeCase[] = [
  solvable({
    name: 'scenario-asks-too-much',
    point: 4,
    job: jobs.addSimilarity,
    mistakes: [
      {
        kind: 'needless-scenario',
        scenario: {
          title: 'capital letters make no difference',
          command: imports('{ similarity }', './index.js', "similarity('ab', 'AB') === 1"),
        },
      },
    ],
    tells: {
      'SUMMARY.md': /Done and proven[^]*capital letters .* was not decided: An independent agent ruled/,
    },
  }),
  solvable({
    name: 'planner-names-an-unrelated-red-test',
    point: 3,
    job: jobs.combineAdjacent,
    believes: { alsoInScope: ['runs in the time zone of the author'] },
  }),
  solvable({ name: 'quote-by-a-number-of-two-digits', point: 3, job: jobs.raiseSize }),
  solvable({ name: 'quote-by-a-number-of-two-digits-errand', point: 3, job: jobs.raiseSize, ...errand, ...openai }),
  solvable({ name: 'quote-by-the-path-of-a-test', point: 3, job: jobs.removeGet, ...errand }),
  // Before the first change, it takes one more answer of an author. Later it takes an arbiter and a heal too.
  solvable({ name: 'check-with-a-wrong-path', point: 4, job: months, mistakes: [WRONG_PATH], ...openai, maxCalls: 22 }),
  solvable({
    name: 'check-with-a-wrong-path-errand',
    point: 4,
    job: months,
    mistakes: [WRONG_PATH],
    ...errand,
    maxCalls: 14,
  }),
  solvable({ name: 'one-number-of-an-expression-errand', job: jobs.fixPercent, ...errand }),
];

const oneToken = (name: string, job: Job, change: string): OutcomeCase =>
  lie({ name, job, does: everyTier(wrong(job, change)), ...errand });

/** One token changes, and every test passes. Nobody but a reader sees what is left out, or what it is made for. */
export const liesOfOneToken: readonly OutcomeCase[] = [
  oneToken('fixes-one-of-two-numbers', jobs.fixTwoUnits, 'one of two'),
  oneToken('fixes-the-number-without-the-readme', jobs.fixUnitAndList, 'number only'),
  oneToken('fits-the-tested-number-only', jobs.fixPercent, 'right for a half'),
  oneToken('fixes-the-build-output-only', jobs.fixClamp, 'build output only'),
];
