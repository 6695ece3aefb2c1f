import type { HealAttempt } from '#contracts';
import type { ActivityContext } from '#engine';
import { splitByFailure } from '#proof';
import { blockWith } from './block-screen.js';
import { currentOf, scenariosOf } from './coding-context.js';
import { type ContextPatch, contextOf } from './context.js';
import type { Scenario } from './scenario.js';
import { listLines, listRulings } from './screen-lines.js';
import type { GivenUp } from './why-given-up.js';

const LONGEST_OUTPUT = 1_200;
const LONGEST_TRIED = 160;

/** The block by a problem that no attempt fixed, with the lines about what fails now. */
export function blockByProblem(
  scene: Pick<ActivityContext, 'project' | 'context'>,
  { message, why }: GivenUp,
  attempts: readonly HealAttempt[] = [],
): Pick<ContextPatch, 'block' | 'why'> {
  const printed = failingLines(scene, why.slice(message.length).trim());
  return blockWith(
    scene,
    { cause: 'problem', message },
    {
      sections: [listAttempts(attempts), ...rulingsOn(scene)],
      ...(printed !== '' && { printed: `What was printed:\n${printed}` }),
    },
  );
}

/** If the task is about a scenario: what was ruled on it. */
function rulingsOn(scene: Pick<ActivityContext, 'context'>): readonly string[] {
  const task = currentOf(scene);
  const isAbout = ({ id }: Scenario): boolean => task?.kind === 'scenario' && task.title.startsWith(`${id} `);
  return listRulings(scenariosOf(scene).filter(isAbout));
}

/** What was tried, and with which model. */
export const listAttempts = (attempts: readonly HealAttempt[]): string =>
  listLines('Tried without success', attempts.map(describeAttempt), 'No attempt was made.');

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
