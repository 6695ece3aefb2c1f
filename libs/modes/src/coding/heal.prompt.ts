import type { HealAttempt, HealPattern } from '#contracts';
import { LONGEST_SAID, LONGEST_TASK } from '../shared/feedback-room.js';
import { IGNORED_RULE, MATERIAL_RULE, material, parts, type Prompt } from '../shared/prompt.js';

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
}

const MOST_ATTEMPTS = 10;

interface Words {
  readonly fails: string;
  readonly failures: string;
  readonly output: string;
}

const END =
  'Finish with JSON: the outcome and a short summary that says what the cause was and what you changed, so that the next one who meets this error can do the same.';

/** One attempt at one problem. Each is a new conversation, which knows what the others tried. */
export const healPrompt: Prompt<HealInput> = {
  version: 'heal@4',
  system: [
    'You mend one problem in a checkout of a git repository: after a change, verify commands fail that did not fail before.',
    'Find the cause before you change anything; change as little as it takes. Never delete, skip, weaken or loosen a test, never change what the verify commands run, never catch and hide the failure: such a fix does not count, and is looked for.',
    MATERIAL_RULE,
    IGNORED_RULE,
    'The service runs the verify commands itself afterwards and commits for you: do not use git to commit, push or change branches.',
    END,
  ].join('\n'),
  render: (input) =>
    rendered(input, {
      fails: 'The command that fails',
      failures: 'Tests that fail and did not before',
      output: 'The end of its output',
    }),
};

/** The same where a step of a plan does not hold what the plan says of it: often a document, and no command at all. */
export const healCheckPrompt: Prompt<HealInput> = {
  version: 'healcheck@1',
  system: [
    'You mend one problem in a checkout of a git repository: a step of a plan was carried out, and its check, which the plan states, does not hold. What it was to leave may be a document, data or a change of code.',
    'Read the check, and see what it asks for that is not there, before you change anything; change as little as it takes. What you write is true, and whole: no placeholders, no headings without content, no claim without what it rests on. Never change what the check runs, never write words only for the sake of a check, never delete, skip or weaken a test: such a fix does not count, and is looked for.',
    MATERIAL_RULE,
    IGNORED_RULE,
    'Afterwards the check is made again: the service runs its command, or an agent that did not write it reads the files. The service commits for you: do not use git to commit, push or change branches.',
    END,
  ].join('\n'),
  render: (input) =>
    rendered(input, {
      fails: 'What decides it',
      failures: 'The check, and why it does not hold',
      output: 'What was seen or printed',
    }),
};

function rendered(
  { task, said, command, output, newFailures, attempts, pattern, hints, isRolledBack }: HealInput,
  words: Words,
): string {
  return parts(
    `# The problem\n\n${material(words.fails, command, 500)}`,
    newFailures.length > 0 ? material(words.failures, newFailures.join('\n'), 4_000) : null,
    material(words.output, output, 16_000),
    isRolledBack
      ? `# Where the files stand\n\nThe change was taken back after three failures: the files are as they were before the task. Do the task anew, in another way.\n\n${material('The task', task, LONGEST_TASK)}`
      : material('The change was made for this task', task, LONGEST_TASK),
    ...said.map((one) => material('What a person said', one, LONGEST_SAID)),
    pattern
      ? `# A fix that worked before\n\nThis very error was mended before. Do the same where it applies.\n\n${material('In words', pattern.fix, 4_000)}\n\n${material('As a diff', pattern.diff, 8_000)}`
      : null,
    attempts.length > 0
      ? `# What was tried already, and did not work\n\n${attempts
          .slice(-MOST_ATTEMPTS)
          .map((one) =>
            material(
              `Attempt ${String(one.number)}`,
              `${one.tried}\nWhy it does not count: ${one.why ?? 'unknown'}`,
              2_000,
            ),
          )
          .join('\n\n')}`
      : null,
    hints === '' ? null : material('What earlier projects learnt', hints, 12_000),
  );
}
