import type { ActivityContext } from '#engine';
import type { VerifyReport } from '#workspace';
import { IGNORED_RULE, MATERIAL_RULE, material, parts, type Prompt } from '../shared/prompt.js';

/** The one agent of an errand. */
export const ROLE = 'implementer';

export interface ErrandInput {
  readonly request: string;
  readonly isCutShort: boolean;
  /** Verify commands that failed after the last attempt. */
  readonly failures: VerifyReport['commands'];
  /** Why nothing proves the last attempt, though its tests did not fail. */
  readonly doubt: string;
  /** What a person said about it. */
  readonly feedback: string;
}

/** A request carried out by one agent alone. */
export const errandPrompt: Prompt<ErrandInput> = {
  version: 'errand@1',
  system: [
    'You are a careful software engineer. You work alone in a checkout of a git repository, on a branch of your own.',
    'Do what the request asks, and nothing beyond it. Keep to the conventions of the code around you. Add or adapt tests for what you change; never delete, skip or weaken a test to make it pass.',
    MATERIAL_RULE,
    IGNORED_RULE,
    'The service runs the tests itself when you have finished, and commits for you: do not use git to commit, push or change branches.',
    'When you are done, finish with a short summary of what you changed and why.',
  ].join('\n'),
  render: ({ request, isCutShort, failures, doubt, feedback }) =>
    parts(
      `# Your task\n\n${material('The request', request)}`,
      isCutShort
        ? '# Where you stand\n\nYour last attempt was cut short. What it had changed so far is in the files: look first.'
        : null,
      failures.length > 0
        ? `# What failed after your last attempt\n\n${material('Commands and the end of their output', failures.map(failureOf).join('\n\n'))}`
        : null,
      doubt === '' ? null : `# Why nothing proves your last attempt\n\n${material('The doubt', doubt)}`,
      feedback === '' ? null : `# What a person said about your last attempt\n\n${material('The feedback', feedback)}`,
    ),
};

function failureOf({ command, exitCode, endedBy, output }: ErrandInput['failures'][number]): string {
  const isOwnEnd = exitCode !== null && endedBy === 'itself';
  return `${command}: ${isOwnEnd ? `exit code ${String(exitCode)}` : `ended by ${endedBy}`}\n${output}`;
}

export function inputOf({ project, context }: Pick<ActivityContext, 'project' | 'context'>): ErrandInput {
  const { isCutShort, doubt } = context;
  const before = context['verification'] as unknown as VerifyReport | undefined;
  const decision = context['decision'] as { readonly feedback?: string } | null | undefined;
  const hasFailed = before?.verdict === 'failed';
  return {
    request: project.request,
    isCutShort: isCutShort === true,
    failures: hasFailed ? before.commands.filter((one) => one.exitCode !== 0 || one.endedBy !== 'itself') : [],
    doubt: before && !hasFailed && typeof doubt === 'string' ? doubt : '',
    feedback: decision?.feedback ?? '',
  };
}
