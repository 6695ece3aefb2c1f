import { z } from 'zod';
import { MOST_FEEDBACK } from '../shared/feedback-room.js';
import { MATERIAL_RULE, material, parts, type Prompt } from '../shared/prompt.js';
import { Findings } from './raw-findings.js';
import type { WorkSkill } from './work-context.js';

const estimate = z.object({ low: z.number(), expected: z.number(), high: z.number() });

export const WorkPlanOutput = z.object({
  summary: z.string(),
  domains: z.array(z.string()).describe('The fields that the work touches, one word each'),
  steps: z.array(
    z.object({
      title: z.string().describe('What is done, in one line'),
      detail: z.string().describe('What whoever does it has to know'),
      owner: z.string().describe('One of the agents of the team, by name'),
      skills: z.array(z.string()).describe('Of the skills that are listed, those that help with this step'),
      check: z.string().describe('How somebody else sees that it is done, and done well'),
      command: z
        .string()
        .nullable()
        .describe('A shell command that exits with 0 just where the check holds; null where reading decides it'),
      file: z.string().nullable().describe('The path of the document that it leaves; null where it leaves none'),
      costUsd: estimate.describe('What models will cost for it, in USD'),
      minutes: estimate.describe('How long an agent will be at it'),
    }),
  ),
  risks: z.array(z.string()),
  findings: Findings,
});
export type WorkPlanOutput = z.infer<typeof WorkPlanOutput>;

export interface WorkPlanInput {
  readonly request: string;
  readonly domains: readonly string[];
  readonly team: readonly { readonly agent: string; readonly about: string }[];
  readonly skills: readonly WorkSkill[];
  readonly files: readonly string[];
  readonly memories: readonly string[];
  /** Whatever people said about the plans before this one. */
  readonly feedback: string;
  readonly before: string;
  /** What is done of it already. */
  readonly done: readonly string[];
}

const MOST_FILES = 300;

export const workPlanPrompt: Prompt<WorkPlanInput> = {
  version: 'workplan@3',
  system: [
    'You draw up the plan by which a small team of agents carries out a request in a git repository: documents, research, analysis, small changes of code. You can read the repository; you change nothing. A person approves the plan, and its costs, before anything is done.',
    'One to eight steps, as few as it takes. Each leaves files in the repository, has one owner of the team, and a check that somebody who did not do it can make. Where a command line can decide it, give the command: it runs in a sandbox at the root of the repository, without network, must exit with 0 just where the check holds, and fail without the step: the service runs it before the step as well, and one that held already, or that runs what the step itself writes, is no proof by itself. Where only reading can decide, leave it out: another agent judges then. A step that writes a document names its file; one that only deletes names none. Ask for tests only where code is changed that can be tested.',
    'Estimate for each step what calls of models will cost and how long it takes, low, expected and high: approving the plan allows the sum of the high ones, and no more.',
    'A plan never deletes the repository or its history, and touches nothing that the request does not speak of. Name as a finding what you see that has to be known before anybody begins; P0 only where the work must not go on before it is mended.',
    MATERIAL_RULE,
    'Finish with JSON: summary, domains, steps, risks, findings.',
  ].join('\n'),
  render: ({ request, domains, team, skills, files, memories, feedback, before, done }) =>
    parts(
      material('The request', request),
      domains.length > 0 ? material('What it is about', domains.join(', '), 1_000) : null,
      material('The team', team.map(({ agent, about }) => `${agent}: ${about.slice(0, 300)}`).join('\n'), 4_000),
      skills.length > 0
        ? material(
            'Skills that were found for it',
            skills.map(({ name, description }) => `${name}: ${description.slice(0, 300)}`).join('\n'),
            8_000,
          )
        : 'No skill was found for it.',
      material('Files of the repository', files.slice(0, MOST_FILES).join('\n'), 8_000),
      memories.length > 0 ? material('What earlier projects here learnt', memories.join('\n'), 8_000) : null,
      done.length > 0 ? material('What is done already: plan only what is left', done.join('\n'), 8_000) : null,
      feedback === ''
        ? null
        : `${material('Your last plan', before, 8_000)}\n\n${material('What people said about the plans so far', feedback, MOST_FEEDBACK)}`,
    ),
};
