import type { HealAttempt } from '#contracts';
import type { ActivityContext } from '#engine';
import { splitByFailure } from '#proof';
import { contextOf } from './context.js';
import { describeProgress, listLines } from './screen-lines.js';
import type { GivenUp } from './why-given-up.js';

const LONGEST_OUTPUT = 1_200;
const LONGEST_TRIED = 160;

const ANSWER = [
  'Likely best answer: fix it in the worktree, then decide `resolve`. The service verifies your change and keeps it.',
  'If you know what is wrong, say it with `resolve`: the next attempt reads your words.',
  '`defer` takes the change of this task back and leaves the task for later. `proceed` accepts what is done so far.',
].join(' ');

/**
 * What a person reads if no attempt fixed a problem: what was asked, what is done, what is not and why, and what to do.
 * The answer comes before the output, so that it is on the first screen.
 */
export function renderProblemScreen(
  activity: Pick<ActivityContext, 'project' | 'context'>,
  givenUp: GivenUp,
  attempts: readonly HealAttempt[] = [],
): string {
  const printed = failingLines(activity, givenUp.why.slice(givenUp.message.length).trim());
  return [
    givenUp.message,
    ...describeProgress(activity),
    listLines('Tried without success', attempts.map(describeAttempt), 'No attempt was made.'),
    ANSWER,
    ...(printed === '' ? [] : [`What was printed:\n${printed}`]),
  ].join('\n\n');
}

const describeAttempt = ({ number, tier, tried }: HealAttempt): string => {
  const words = tried.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_TRIED);
  return `Attempt ${String(number)}, ${tier} model: ${words === '' ? 'it did not say what it changed' : words}`;
};

/** The lines about what fails now; the end of the output if it does not name that. */
function failingLines(activity: Pick<ActivityContext, 'context'>, output: string): string {
  const own = linesOfFailures(output, contextOf(activity).trouble?.newFailures ?? []);
  return own === '' ? output.slice(-LONGEST_OUTPUT) : own.slice(0, LONGEST_OUTPUT);
}

/** Where the output of a runner goes on to other tests, or to its counts. */
const NEXT_TEST = /\n(?:# Subtest: |ok \d+ |not ok \d+ |1\.\.\d)/;

/** The lines of an output about these failures, without the tests that follow. Empty if it names none of them. */
export const linesOfFailures = (output: string, names: readonly string[]): string =>
  splitByFailure(output, names)
    .flatMap((one) => one.output || [])
    .map((text) => {
      const failure = text.search(/^not ok /m);
      const next = failure < 0 ? -1 : text.slice(failure + 1).search(NEXT_TEST);
      return next < 0 ? text : text.slice(0, failure + 1 + next);
    })
    .join('\n');
