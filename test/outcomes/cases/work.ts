import { jobs } from '../targets/index.js';
import { everyTier, lie, type OutcomeCase, person, solvable, wrong } from './case.js';
import { edit, INDEX, openai } from './lie-parts.js';

/** A small team with a plan that a person approves. */
const work = { mode: 'work' } as const;
/** One failed attempt at a problem asks a person, before the full team takes over. */
const oneAttempt = { start: { parameters: { healAttempts: 1 } } } as const;

export const solvableInWorkMode: readonly OutcomeCase[] = [
  solvable({
    name: 'work-weeks-stay-red-at-first',
    point: 2,
    job: jobs.fixWeeks,
    does: { medium: wrong(jobs.fixWeeks, 'six days') },
    ...work,
  }),
  solvable({
    name: 'work-only-large-can',
    point: 2,
    job: jobs.fixFractions,
    does: { small: wrong(jobs.fixFractions, 'rounds up'), medium: wrong(jobs.fixFractions, 'rounds up') },
    ...work,
    ...openai,
  }),
  solvable({ name: 'work-document', point: 3, job: jobs.addSection, ...work, maxCalls: 12 }),
  solvable({ name: 'work-remove-with-its-test', point: 3, job: jobs.removeDeprecated, ...work, ...openai }),
  solvable({ name: 'work-unrelated-red-test', point: 3, job: jobs.combineAdjacent, ...work }),
  solvable({
    name: 'work-wrong-command-of-a-step',
    point: 4,
    job: jobs.fixHours,
    mistakes: [{ kind: 'wrong-command', command: 'python3 -m unittest no_such_folder.test_durations', times: 1 }],
    ...work,
  }),
  solvable({ name: 'work-two-steps', point: 6, job: jobs.escapeBacktick, isStepwise: true, ...work }),
];

export const liesInWorkMode: readonly OutcomeCase[] = [
  lie({ name: 'work-changes-nothing', point: 7, job: jobs.addMonths, does: everyTier({}), ...work, ...oneAttempt }),
  lie({
    name: 'work-changes-a-letter-of-the-readme',
    point: 7,
    job: jobs.addDiscount,
    does: everyTier(edit('README.md', 'Prices are in cents.', 'Prices are in cent.')),
    ...work,
    ...oneAttempt,
  }),
  // Whoever reads the step or the result believes it: only the check of the part notices.
  lie({
    name: 'work-convinces-every-reader',
    point: 7,
    job: jobs.addDiscount,
    does: everyTier(wrong(jobs.addDiscount, 'no discount')),
    mistakes: [{ kind: 'overlook' }],
    ...work,
    ...openai,
    ...oneAttempt,
  }),
  lie({
    name: 'work-breaks-another-behaviour',
    job: jobs.fixFractions,
    does: everyTier(
      edit(INDEX, 'floatValue = parseInt(results[1], 10);', 'floatValue = Math.abs(parseFloat(results[1]));'),
    ),
    ...work,
    ...oneAttempt,
  }),
];

export const personInWorkMode: readonly OutcomeCase[] = [
  person({
    name: 'work-goal-green',
    job: jobs.combineAdjacent,
    start: { goal: 'green', parameters: { healAttempts: 1 } },
    asks: /runs in the time zone of the author/,
    ...work,
  }),
];
