import type { ActivityContext } from '#engine';
import type { VerifyReport } from '#workspace';
import { surroundingsOf } from '../coding/execute-input.js';
import { renderSurroundings, type Surroundings } from '../coding/surroundings.js';
import { IGNORED_RULE, MATERIAL_RULE, material, parts, type Prompt } from '../shared/prompt.js';

/** The one agent of an errand. */
export const ROLE = 'implementer';

export interface ErrandInput {
  readonly request: string;
  readonly isCutShort: boolean;
  /** Verify commands that failed after the last attempt. */
  readonly failures: VerifyReport['commands'];
  /** Why the last attempt is not proven. */
  readonly doubt: string;
  /** What the checks printed that failed. */
  readonly doubtOutput: string;
  /** What the last attempt changed. */
  readonly isRolledBack: boolean;
  readonly surroundings: Surroundings;
  /** What a person said about it. */
  readonly feedback: string;
}

/** A request carried out by one agent alone. */
export const errandPrompt: Prompt<ErrandInput> = {
  version: 'errand@2',
  system: [
    'You are a careful software engineer. You work alone in a checkout of a git repository, on a branch of your own.',
    'Read before you change: the files that the request is about, their tests, and how similar things are done. Run the tests before you finish.',
    'Do what the request asks, and nothing beyond it. Keep to the conventions of the code around you. Add tests for what you change, where the verify commands run them. Never delete, skip or weaken a test to make it pass; change an existing test only if the request contradicts it.',
    MATERIAL_RULE,
    IGNORED_RULE,
    'The service runs the tests itself when you have finished, together with checks that another engineer wrote from the request, and commits for you: do not use git to commit, push or change branches.',
    'When you are done, finish with a short summary of what you changed and why.',
  ].join('\n'),
  render: ({ request, isCutShort, failures, doubt, doubtOutput, isRolledBack, feedback, surroundings }) =>
    parts(
      `# Your task\n\n${material('The request', request)}`,
      isCutShort
        ? '# Where you stand\n\nYour last attempt was cut short. What it had changed so far is in the files: look first.'
        : null,
      failures.length > 0
        ? `# What failed after your last attempt\n\n${material('Commands and the end of their output', failures.map(failureOf).join('\n\n'))}`
        : null,
      doubt === ''
        ? null
        : parts(
            `# Why the last attempt is not proven\n\n${material('What is missing', doubt, 6_000)}`,
            doubtOutput === '' ? null : material('What was printed', doubtOutput, 16_000),
            isRolledBack
              ? 'Its change was taken back: the files are as they were before. Do the request again, in another way.'
              : 'Its change is in the files. The request must stay done: do not take it back to make tests pass.',
          ),
      feedback === '' ? null : `# What a person said about your last attempt\n\n${material('The feedback', feedback)}`,
      renderSurroundings(surroundings),
    ),
};

function failureOf({ command, exitCode, endedBy, output }: ErrandInput['failures'][number]): string {
  const isOwnEnd = exitCode !== null && endedBy === 'itself';
  return `${command}: ${isOwnEnd ? `exit code ${String(exitCode)}` : `ended by ${endedBy}`}\n${output}`;
}

export function inputOf(activity: Pick<ActivityContext, 'project' | 'context'>, isRolledBack: boolean): ErrandInput {
  const { project, context } = activity;
  const { isCutShort, doubt, doubtOutput } = context;
  const before = context['verification'] as unknown as VerifyReport | undefined;
  const decision = context['decision'] as { readonly feedback?: string } | null | undefined;
  const hasFailed = before?.verdict === 'failed';
  return {
    request: project.request,
    isCutShort: isCutShort === true,
    failures: hasFailed ? before.commands.filter((one) => one.exitCode !== 0 || one.endedBy !== 'itself') : [],
    doubt: before && typeof doubt === 'string' ? doubt : '',
    doubtOutput: typeof doubtOutput === 'string' ? doubtOutput : '',
    isRolledBack,
    surroundings: surroundingsOf(activity),
    feedback: decision?.feedback ?? '',
  };
}
