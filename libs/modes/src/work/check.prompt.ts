import { z } from 'zod';
import { LONGEST_TASK } from '../shared/feedback-room.js';
import { MATERIAL_RULE, material, parts, type Prompt } from '../shared/prompt.js';
import { Findings } from './raw-findings.js';

export const CheckOutput = z.object({
  verdict: z.enum(['pass', 'fail']),
  observation: z.string().describe('What you read, and why the check holds or not'),
  evidence: z
    .array(
      z.object({
        file: z.string(),
        quote: z.string().describe('An exact quote of at least 20 characters; empty for a deleted file'),
      }),
    )
    .describe('Places in the changed files that support your verdict'),
  findings: Findings,
});
export type CheckOutput = z.infer<typeof CheckOutput>;

export interface CheckInput {
  readonly title: string;
  readonly detail: string;
  readonly check: string;
  readonly request: string;
  /** Files that the step changed and that exist. */
  readonly files: readonly string[];
  readonly deleted: readonly string[];
  /** The result of a command that proves nothing alone; empty if there is none. */
  readonly ran: string;
  /** Why the last verdict was not accepted. */
  readonly refusal: string;
}

/** Checks a step by its plan. The agent did not write the step, and reads nothing from its author. */
export const checkPrompt: Prompt<CheckInput> = {
  version: 'check@5',
  system: [
    'You check one step of a plan in a checkout of a git repository. Another agent carried it out. Find out yourself whether it is done well. You can read; you change nothing.',
    'Judge strictly, and by the check alone: what it asks for must be there, complete and correct as far as the repository shows. A heading without content, a placeholder, a claim without a source, or a text about something else fails.',
    'Your verdict needs evidence: exact quotes from the files that were changed. The service looks for each quote in its file. A pass without a quote that is there does not count. If the step only deleted files, name the deleted files that support your verdict: the service has seen that they are gone.',
    'If you see something beyond the check that a person should know, report it as a finding. Use P0 only if the work must stop until it is fixed.',
    MATERIAL_RULE,
    'Finish with JSON: verdict, observation, evidence, findings.',
  ].join('\n'),
  render: ({ title, detail, check, request, files, deleted, ran, refusal }) =>
    parts(
      material('The step', `${title}\n\n${detail}`, LONGEST_TASK),
      material('Its check', check, 4_000),
      files.length > 0 ? material('Files that the step changed', files.join('\n'), 8_000) : null,
      deleted.length > 0 ? material('Files that the step deleted', deleted.join('\n'), 8_000) : null,
      ran === '' ? null : material('The result of its command', ran, 2_000),
      material('For context: the request of the whole project', request, 4_000),
      refusal === '' ? null : material('Why your last verdict was not accepted', refusal, 1_000),
    ),
};
