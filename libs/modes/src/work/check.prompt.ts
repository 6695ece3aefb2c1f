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
        quote: z.string().describe('Word for word, at least 20 characters; empty for a file that was deleted'),
      }),
    )
    .describe('Places in the changed files that bear your verdict out'),
  findings: Findings,
});
export type CheckOutput = z.infer<typeof CheckOutput>;

export interface CheckInput {
  readonly title: string;
  readonly detail: string;
  readonly check: string;
  readonly request: string;
  /** What the step changed, and is there. */
  readonly files: readonly string[];
  readonly deleted: readonly string[];
  /** What a command said that proves nothing by itself; empty where there is none. */
  readonly ran: string;
  /** Why the last verdict could not be taken. */
  readonly refusal: string;
}

/** Whether a step holds what the plan says, by somebody who did not write it and hears nothing of its author. */
export const checkPrompt: Prompt<CheckInput> = {
  version: 'check@3',
  system: [
    'You check one step of a plan in a checkout of a git repository. Somebody else carried it out; nobody has told you that it is done well: find out. You can read; you change nothing.',
    'Judge by the check alone, strictly: what it asks for has to be there, whole and right as far as the repository can tell. A heading without content, a placeholder, a claim without what it rests on, or a text about something else is a fail.',
    'Your verdict needs evidence: quotes, word for word, from the files that were changed. The service looks for each in its file; a pass whose quotes are not there does not count. Where the step only deleted files, name those of them that bear your verdict out: the service has seen that they are gone.',
    'Name as a finding what you see beyond the check that somebody has to know; P0 only where the work must not go on before it is mended.',
    MATERIAL_RULE,
    'Finish with JSON: verdict, observation, evidence, findings.',
  ].join('\n'),
  render: ({ title, detail, check, request, files, deleted, ran, refusal }) =>
    parts(
      material('The step', `${title}\n\n${detail}`, LONGEST_TASK),
      material('Its check', check, 4_000),
      files.length > 0 ? material('Files that were changed for it', files.join('\n'), 8_000) : null,
      deleted.length > 0 ? material('Files that were deleted for it', deleted.join('\n'), 8_000) : null,
      ran === '' ? null : material('What a command says of it', ran, 2_000),
      material('For context: the request of the whole project', request, 4_000),
      refusal === '' ? null : material('Why your last verdict could not be taken', refusal, 1_000),
    ),
};
