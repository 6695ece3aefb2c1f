import type { HealAttempt, HealPattern } from '#contracts';
import { LONGEST_SAID, LONGEST_TASK } from '../shared/feedback-room.js';
import { IGNORED_RULE, MATERIAL_RULE, material, parts, type Prompt } from '../shared/prompt.js';
import { renderSurroundings, type Surroundings } from './surroundings.js';

export interface HealInput {
  readonly task: string;
  /** What a person said at the block that it goes on from. */
  readonly said: readonly string[];
  readonly command: string;
  readonly output: string;
  readonly newFailures: readonly string[];
  readonly attempts: readonly HealAttempt[];
  readonly pattern: HealPattern | null;
  readonly hints: string;
  /** Whether the change of the task is gone, after too many failures. */
  readonly isRolledBack: boolean;
  /** What the task has changed so far; empty after a rollback. */
  readonly diff: string;
  readonly surroundings: Surroundings;
}

const MOST_ATTEMPTS = 5;

interface Words {
  readonly fails: string;
  readonly failures: string;
  readonly output: string;
}

const END =
  'Finish with JSON: the outcome, a short summary that says what the cause was and what you changed, so that the next engineer who meets this error can do the same, and wrongCheck: null, or why the check itself contradicts the request.';

/** One attempt at one problem. Each is a new conversation, which knows what the others tried. */
export const healPrompt: Prompt<HealInput> = {
  version: 'heal@5',
  system: [
    'You fix one problem in a checkout of a git repository: a change was made for a task, and tests fail that have to pass.',
    'Find the cause before you change anything; change as little as it takes. The task must stay done: an attempt that takes its change back has failed. Never delete, skip, weaken or loosen a test unless the request itself contradicts it, never change what the verify commands run, never catch and hide the failure: such a fix does not count, and is looked for.',
    MATERIAL_RULE,
    IGNORED_RULE,
    'The service runs the verify commands itself afterwards and commits for you: do not use git to commit, push or change branches.',
    END,
  ].join('\n'),
  render: (input) =>
    render(input, {
      fails: 'The command that fails',
      failures: 'Tests that fail and have to pass',
      output: 'The end of its output',
    }),
};

/** The same if a check fails that another agent wrote: for a step of a plan, a part of the request, or a finding. */
export const healCheckPrompt: Prompt<HealInput> = {
  version: 'healcheck@2',
  system: [
    'You fix one problem in a checkout of a git repository: a task was carried out, and the check that decides whether it is done does not hold. The task may be a change of code, a document or data.',
    'Read the check, and see what it asks for that is not there, before you change anything; change as little as it takes. What you write is true and complete: no placeholders, no headings without content, no claim without what it rests on. Do the task in general, not only for the values of the check. Never change what the check runs, never write words only for the sake of a check, never delete, skip or weaken a test: such a fix does not count, and is looked for.',
    'If the check contradicts the request, or cannot work at all (a wrong path, a mistake of its own), say so in wrongCheck: another agent decides.',
    MATERIAL_RULE,
    IGNORED_RULE,
    'Afterwards the check is made again: the service runs its command, or an agent that did not write it reads the files. The service commits for you: do not use git to commit, push or change branches.',
    END,
  ].join('\n'),
  render: (input) =>
    render(input, {
      fails: 'What decides it',
      failures: 'What must be true and is not',
      output: 'What was seen or printed',
    }),
};

function render(
  { task, said, command, output, newFailures, attempts, pattern, hints, isRolledBack, diff, surroundings }: HealInput,
  words: Words,
): string {
  return parts(
    `# The problem\n\n${material(words.fails, command, 500)}`,
    newFailures.length > 0 ? material(words.failures, newFailures.join('\n'), 4_000) : null,
    material(words.output, output, 12_000),
    isRolledBack
      ? `# Where the files stand\n\nThree attempts in a row failed, so the change was taken back. The files are as they were before the task, and the output above is from before that. Do the task again, in another way.\n\n${material('The task', task, LONGEST_TASK)}`
      : parts(
          material('The change was made for this task, which must stay done', task, LONGEST_TASK),
          diff === '' ? null : material('What the task has changed so far', diff, 12_000),
        ),
    ...said.map((one) => material('What a person said', one, LONGEST_SAID)),
    pattern
      ? `# A fix that worked before\n\nThis error was fixed before in this repository. Do the same if it applies.\n\n${material('In words', pattern.fix, 4_000)}\n\n${material('As a diff', pattern.diff, 4_000)}`
      : null,
    attempts.length > 0
      ? `# What was tried already, and did not work\n\n${attempts.slice(-MOST_ATTEMPTS).map(renderAttempt).join('\n\n')}`
      : null,
    hints === '' ? null : material('What earlier projects learnt', hints, 6_000),
    renderSurroundings(forHealing(surroundings)),
  );
}

/** `hints` has the memories that concern the error. */
const forHealing = (known: Surroundings): Surroundings => ({
  ...known,
  memories: [],
  skills: known.skills.slice(0, 2),
});

const renderAttempt = ({ number, tried, why, diff, output }: HealAttempt): string =>
  parts(
    material(`Attempt ${String(number)}`, `${tried}\nWhy it does not count: ${why ?? 'unknown'}`, 2_000),
    diff === '' ? null : material('Its diff', diff, 2_000),
    output === '' ? null : material('What the verify commands printed then', output, 1_500),
  );
