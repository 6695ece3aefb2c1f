import type { HealAttempt, HealPattern } from '#contracts';
import { LONGEST_SAID, LONGEST_TASK } from '../shared/feedback-room.js';
import {
  ALONE_RULE,
  CONVENTION_RULE,
  GIT_RULE,
  MATERIAL_RULE,
  material,
  parts,
  type Prompt,
  REPORT_RULE,
  SAFETY_RULE,
  SETUP_RULE,
  TEST_RULE,
  TOOL_RULE,
} from '../shared/prompt.js';
import { renderAttempts } from './earlier-attempts.js';
import { WORK_RULES } from './execute.prompt.js';
import { renderSurroundings, type Surroundings } from './surroundings.js';

export interface HealInput {
  readonly task: string;
  /** The request of the whole project; empty if the task contains it. */
  readonly request: string;
  /** How one sees that the task is done, in words. */
  readonly check: string;
  /** What a person said at the block that it goes on from. Shown whole. */
  readonly said: readonly string[];
  readonly command: string;
  readonly output: string;
  readonly newFailures: readonly string[];
  readonly attempts: readonly HealAttempt[];
  readonly pattern: HealPattern | null;
  readonly hints: string;
  /** What the task has changed so far; empty after a rollback. */
  readonly diff: string;
  /** What the branch has changed, all tasks together: if the task itself has changed nothing. */
  readonly branchDiff: string;
  readonly surroundings: Surroundings;
}

interface Words {
  readonly fails: string;
  readonly failures: string;
  readonly output: string;
  /** When to use a fix that worked before. */
  readonly pattern: string;
}

const NO_REPEAT = 'Earlier attempts are listed with their diffs and output: do not repeat what failed.';

const ORDER = `${NO_REPEAT} The task must stay done: an attempt that removes its change has failed.`;

const END =
  'Finish with JSON. outcome: done, or not-applicable if there is nothing to fix. summary: the cause, and what you changed, so that the next engineer who meets this error can do the same. If it is not fixed, say what you found out. wrongCheck: null, or why a check contradicts the request or cannot work at all (a wrong path, a mistake of its own): another agent decides.';

/** One attempt at one problem. Each is a new conversation, which knows what the others tried. */
export const healPrompt: Prompt<HealInput> = {
  version: 'heal@8',
  system: [
    `You fix one problem in a checkout of a git repository: a change was made for a task, and tests fail that have to pass. ${ALONE_RULE}`,
    'Find the cause before you change anything: read the output, the diff and the code, and run the failing test alone. Then make the smallest change that removes the cause. Never catch and hide the failure. Run the failing test again, then the verify commands.',
    ORDER,
    CONVENTION_RULE,
    TEST_RULE,
    SAFETY_RULE,
    MATERIAL_RULE,
    SETUP_RULE,
    TOOL_RULE,
    `After you finish, the service runs the verify commands on a clean checkout. ${GIT_RULE}`,
    END,
    REPORT_RULE,
  ].join('\n'),
  render: (input) =>
    render(input, renderProblem, {
      fails: 'The command that fails',
      failures: 'Tests that fail and have to pass',
      output: 'The end of its output',
      pattern: 'Do the same if it applies.',
    }),
};

/** The same if a check fails that another agent wrote: for a step of a plan, a part of the request, or a finding. */
export const healCheckPrompt: Prompt<HealInput> = {
  version: 'healcheck@5',
  system: [
    `You fix one problem in a checkout of a git repository: a task was carried out, and the check that decides whether it is done fails. The task may be a change of code, a document or data. ${ALONE_RULE}`,
    'First read the check and its output, and find what it asks for that is not there. Then make the smallest change that does the task completely, for all inputs and not only for the values of the check. What you write is true and complete: no placeholder, no heading without content, no claim without a source. Never change the check itself, and never write words only to satisfy it.',
    ORDER,
    CONVENTION_RULE,
    TEST_RULE,
    SAFETY_RULE,
    MATERIAL_RULE,
    SETUP_RULE,
    TOOL_RULE,
    `After you finish, the check is made again: the service runs its command, or another agent reads the files. ${GIT_RULE}`,
    END,
    REPORT_RULE,
  ].join('\n'),
  render: (input) =>
    render(input, renderProblem, {
      fails: 'The check that fails',
      failures: 'What must be true and is not',
      output: 'What it printed, or what was seen',
      pattern: 'Do the same if it applies.',
    }),
};

/** After a rollback: the change of the task is gone, so this task is done again and nothing is repaired. */
export const redoPrompt: Prompt<HealInput> = {
  version: 'redo@3',
  system: [
    `You are a careful engineer. You do one task alone in a checkout of a git repository: a change of code, a document or data. Earlier attempts failed, and their changes were taken back. What earlier tasks committed is still in the files: keep it. Do this task again in another way. ${ALONE_RULE}`,
    ...WORK_RULES,
    NO_REPEAT,
    MATERIAL_RULE,
    SETUP_RULE,
    TOOL_RULE,
    `After you finish, the service verifies and checks the task as before. ${GIT_RULE}`,
    'Finish with JSON. outcome: done, or not-applicable if there is nothing to do. summary: what you changed and why. wrongCheck: null, or why a check contradicts the request or cannot work.',
    REPORT_RULE,
  ].join('\n'),
  render: (input) =>
    render(input, renderRedo, {
      fails: 'The command or check that failed',
      failures: 'What has to pass',
      output: 'What it printed, or what was seen',
      pattern: 'If you meet the error again, try the same.',
    }),
};

type Head = (input: HealInput, words: Words) => readonly (string | null)[];

function render(input: HealInput, head: Head, words: Words): string {
  const { said, pattern, attempts, hints, surroundings } = input;
  return parts(
    ...head(input, words),
    ...said.map((one) => material('What a person said', one, LONGEST_SAID)),
    pattern
      ? parts(
          '# A fix that worked before',
          `This error was fixed before in this repository. ${words.pattern}`,
          material('In words', pattern.fix, 2_000),
          material('As a diff', pattern.diff, 3_000),
        )
      : null,
    renderAttempts(attempts),
    hints === '' ? null : material('What earlier projects in this repository learnt', hints, 6_000),
    renderSurroundings(forHealing(surroundings)),
  );
}

const renderFailure = ({ command, newFailures, output }: HealInput, words: Words): readonly (string | null)[] => [
  material(words.fails, command, 500),
  newFailures.length > 0 ? material(words.failures, newFailures.join('\n'), 4_000) : null,
  material(words.output, output, 10_000),
];

const renderBranch = ({ branchDiff }: HealInput): string | null =>
  branchDiff === '' ? null : material('What the branch has changed so far', branchDiff, 12_000);

const renderGoal = ({ request, check }: HealInput): readonly (string | null)[] => [
  request === '' ? null : material('For context: the request of the whole project', request, 4_000),
  check === '' ? null : material('The task is done if this holds', check, 1_000),
];

const renderProblem: Head = (input, words) => [
  '# The problem',
  ...renderFailure(input, words),
  material('The change was made for this task, which must stay done', input.task, LONGEST_TASK),
  ...renderGoal(input),
  input.diff === '' ? renderBranch(input) : material('What the task has changed so far', input.diff, 12_000),
];

/** After a rollback the task comes first, and the failures are what to avoid. */
const renderRedo: Head = (input, words) => [
  '# Do the task again',
  'Three attempts in a row failed, so the change of this task was taken back. What earlier tasks committed is still in the files: keep it. Do this task again in another way, so that the failures below do not come back.',
  material('The task', input.task, LONGEST_TASK),
  ...renderGoal(input),
  renderBranch(input),
  '# What failed before the files were reset',
  ...renderFailure(input, words),
];

/** `hints` has the memories that concern the error. */
const forHealing = (known: Surroundings): Surroundings => ({
  ...known,
  memories: [],
  skills: known.skills.slice(0, 2),
});
