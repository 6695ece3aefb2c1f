import type { HealAttempt, HealPattern } from '#contracts';
import { IGNORED_RULE, MATERIAL_RULE, material, parts, type Prompt } from '../shared/prompt.js';

export interface HealInput {
  readonly task: string;
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

/** One attempt at one problem. Each is a new conversation, which knows what the others tried. */
export const healPrompt: Prompt<HealInput> = {
  version: 'heal@3',
  system: [
    'You mend one problem in a checkout of a git repository: after a change, verify commands fail that did not fail before.',
    'Find the cause before you change anything; change as little as it takes. Never delete, skip, weaken or loosen a test, never change what the verify commands run, never catch and hide the failure: such a fix does not count, and is looked for.',
    MATERIAL_RULE,
    IGNORED_RULE,
    'The service runs the verify commands itself afterwards and commits for you: do not use git to commit, push or change branches.',
    'Finish with JSON: the outcome and a short summary that says what the cause was and what you changed, so that the next one who meets this error can do the same.',
  ].join('\n'),
  render: ({ task, command, output, newFailures, attempts, pattern, hints, isRolledBack }) =>
    parts(
      `# The problem\n\n${material('The command that fails', command, 500)}`,
      newFailures.length > 0 ? material('Tests that fail and did not before', newFailures.join('\n'), 4_000) : null,
      material('The end of its output', output, 16_000),
      isRolledBack
        ? `# Where the files stand\n\nThe change was taken back after three failures: the files are as they were before the task. Do the task anew, in another way.\n\n${material('The task', task, 8_000)}`
        : material('The change was made for this task', task, 4_000),
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
    ),
};
