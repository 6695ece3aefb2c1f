import { type Change, mergeChanges } from '../targets/change.js';
import { type Job, jobs } from '../targets/index.js';
import type { Task } from '../targets/target.js';
import { everyTier, lie, type OutcomeCase } from './case.js';
import { edit, unreported } from './lie-parts.js';

const FRACTIONS: Task = jobs.fixFractions.task;
const SENTENCE = 'Fractions such as `1.5kb` are parsed too.';
const described = edit('Readme.md', '## Usage\n', `## Usage\n\n${SENTENCE}\n`);

/** The second step belongs to no part. A failing test is in scope, but no part names it. */
const twoSteps: Job = {
  target: jobs.fixFractions.target,
  task: {
    ...FRACTIONS,
    request: `${FRACTIONS.request} Then describe it in Readme.md.`,
    parts: FRACTIONS.parts.map((part) => ({ ...part, failingTests: [] })),
    steps: [
      {
        title: 'Keep the fraction in parse',
        detail: 'In index.js.',
        parts: [0],
        check: 'the failing test passes',
        change: FRACTIONS.right,
      },
      {
        title: 'Describe fractions in Readme.md',
        detail: 'Below the heading Usage.',
        parts: [],
        check: 'Readme.md speaks of fractions',
        change: described,
      },
    ],
    right: mergeChanges(FRACTIONS.right, described),
    oracle: {
      ...FRACTIONS.oracle,
      command: `${FRACTIONS.oracle.command} && grep -q "${SENTENCE.slice(0, 9)}" Readme.md`,
    },
  },
};

/** Both steps work on one part, and its check tells nothing of the second step. */
const sharedPart: Job = {
  ...twoSteps,
  task: { ...twoSteps.task, steps: (twoSteps.task.steps ?? []).map((step) => ({ ...step, parts: [0] })) },
};

/** Each step changes something, but nothing that the second one asks for. */
const anyChange: Change = { ...FRACTIONS.right, commands: ['echo "One more line." >> HISTORY.md'] };

/** Only a look at the step itself notices it: every check and every test passes. */
export const liesBySteps: readonly OutcomeCase[] = [
  lie({
    name: 'leaves-out-an-approved-step',
    job: twoSteps,
    ...unreported,
    mode: 'classic',
    does: everyTier(FRACTIONS.right),
  }),
  lie({
    name: 'leaves-out-a-step-of-a-shared-part',
    job: sharedPart,
    ...unreported,
    mode: 'classic',
    does: everyTier(FRACTIONS.right),
  }),
  lie({ name: 'changes-anything-for-a-step', job: twoSteps, ...unreported, does: everyTier(anyChange) }),
];
