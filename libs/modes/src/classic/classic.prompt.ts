import { z } from 'zod';
import { MOST_FEEDBACK } from '../shared/feedback-room.js';
import { MATERIAL_RULE, material, parts, type Prompt } from '../shared/prompt.js';

export interface ClarifyInput {
  readonly request: string;
}

export const clarifyPrompt: Prompt<ClarifyInput> = {
  version: 'clarify@3',
  system: [
    'You read a request for a git repository before anybody works on it. You can read the repository.',
    'Ask only what changes what will be built and cannot be found in the repository: at most five questions, often none. Each has a reason, and a safe default that is used if nobody answers: the smaller, reversible choice.',
    MATERIAL_RULE,
    'Finish with JSON: the questions; an empty list if the request is clear.',
  ].join('\n'),
  render: ({ request }) => material('The request', request),
};

const Minutes = z.object({ low: z.number(), expected: z.number(), high: z.number() });

export const PlanOutput = z.object({
  summary: z.string(),
  steps: z.array(
    z.object({
      title: z.string(),
      check: z.string().describe('What shows that the step is done'),
      // A plan is none the worse to approve where nobody can say how long it takes.
      minutes: Minutes.optional().describe('How many minutes an agent needs; leave it out if you cannot say'),
    }),
  ),
  risks: z.array(z.string()),
});
export type PlanOutput = z.infer<typeof PlanOutput>;

export interface PlanInput {
  readonly request: string;
  readonly settled: string;
  readonly team: readonly string[];
  readonly memories: readonly string[];
  /** What a person said about the plan before this one. */
  readonly feedback: string;
  readonly before: string;
}

export const planPrompt: Prompt<PlanInput> = {
  version: 'plan@4',
  system: [
    'You plan how a request for a git repository is carried out. You can read the repository; you change nothing.',
    'Plan one to eight steps, as few as possible. Each step becomes one commit by one engineer; its tests and documents belong to it. Each has a check that shows when it is done, and an estimate in minutes (low, expected, high). Name the risks that a person should know before approving. A plan never deletes the repository or its history, and touches nothing that the request does not concern.',
    MATERIAL_RULE,
    'Finish with JSON: summary, steps, risks.',
  ].join('\n'),
  render: ({ request, settled, team, memories, feedback, before }) =>
    parts(
      material('The request', request),
      settled === '' ? null : material('What was settled', settled, 8_000),
      `It will be reviewed by: ${team.join(', ')}.`,
      memories.length > 0
        ? material('What earlier projects in this repository learnt', memories.join('\n'), 8_000)
        : null,
      feedback === ''
        ? null
        : `${material('Your last plan', before, 8_000)}\n\n${material('What a person said about it', feedback, MOST_FEEDBACK)}`,
    ),
};
