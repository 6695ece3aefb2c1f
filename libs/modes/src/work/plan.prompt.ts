import { z } from 'zod';
import { MOST_FEEDBACK } from '../shared/feedback-room.js';
import type { MatchingSkill } from '../shared/matching-skills.js';
import { MATERIAL_RULE, material, parts, type Prompt } from '../shared/prompt.js';
import { Findings } from './raw-findings.js';

const estimate = z.object({ low: z.number(), expected: z.number(), high: z.number() });

export const WorkPlanOutput = z.object({
  summary: z.string(),
  domains: z.array(z.string()).describe('The fields that the work touches, one word each'),
  steps: z.array(
    z.object({
      title: z.string().describe('What is done, in one line'),
      detail: z.string().describe('What the owner has to know'),
      owner: z.string().describe('One of the agents of the team, by name'),
      skills: z.array(z.string()).describe('Of the skills that are listed, those that help with this step'),
      check: z.string().describe('How another agent sees that it is done well'),
      command: z
        .string()
        .nullable()
        .describe('A shell command that exits with 0 if and only if the check holds; null if only reading can decide'),
      file: z.string().nullable().describe('The path of the document that it writes; null if it writes none'),
      costUsd: estimate.describe('What models will cost for it, in USD'),
      minutes: estimate.describe('How long an agent works on it'),
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
  readonly skills: readonly MatchingSkill[];
  readonly files: readonly string[];
  readonly memories: readonly string[];
  /** What people said about earlier plans. */
  readonly feedback: string;
  readonly before: string;
  /** What is done of it already. */
  readonly done: readonly string[];
}

const MOST_FILES = 300;

export const workPlanPrompt: Prompt<WorkPlanInput> = {
  version: 'workplan@6',
  system: [
    'You plan the work of a small team of agents on a request in a git repository: documents, research, analysis, small changes of code. You can read the repository; you change nothing. A person approves the plan and its cost before the work begins.',
    'Plan one to eight steps, as few as possible. Each step leaves files in the repository, has one owner from the team, and has a check that another agent can make. A step that writes a document names its file. A step that only deletes files names none. Ask for tests only if the step changes code that can be tested.',
    'If a command can decide the check, give the command. It runs in a sandbox at the root of the repository, without network. It must exit with 0 if and only if the check holds, and must fail before the step: the service runs it before and after. A command that passes before the step, or that runs what the step itself writes, proves nothing alone. If only reading can decide, set command to null: another agent then reads the result.',
    'Estimate for each step the cost of model calls and the time, with its check and with attempts that fail: low, expected and high. Approving the plan allows the sum of the high costs, and beside it only a share for the proof of the whole.',
    'A plan never deletes the repository or its history, and touches nothing that the request does not mention. Report as a finding what must be known before the work begins. Use P0 only if the work must stop until it is fixed.',
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
            'Skills that fit the request',
            skills.map(({ name, description }) => `${name}: ${description.slice(0, 300)}`).join('\n'),
            8_000,
          )
        : 'No skill fits the request.',
      material('Files of the repository', files.slice(0, MOST_FILES).join('\n'), 8_000),
      memories.length > 0
        ? material('What earlier projects in this repository learnt', memories.join('\n'), 8_000)
        : null,
      done.length > 0 ? material('What is done already: plan only what is left', done.join('\n'), 8_000) : null,
      feedback === ''
        ? null
        : `${material('Your last plan', before, 8_000)}\n\n${material('What people said about the plans so far', feedback, MOST_FEEDBACK)}`,
    ),
};
