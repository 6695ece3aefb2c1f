import { z } from 'zod';
import { LONGEST_FEEDBACK, LONGEST_SAID, LONGEST_TASK } from '../shared/feedback-room.js';
import type { MatchingSkill } from '../shared/matching-skills.js';
import {
  CONVENTION_RULE,
  GIT_RULE,
  MATERIAL_RULE,
  material,
  parts,
  type Prompt,
  SETUP_RULE,
  TOOL_RULE,
} from '../shared/prompt.js';
import { Findings } from './raw-findings.js';
import type { Asked } from './work-context.js';

export const StepOutput = z.object({
  outcome: z
    .enum(['done', 'needs-feedback'])
    .describe('needs-feedback: only a person can decide how to go on; ask in `question`'),
  summary: z.string().describe('What you did and where, or what you know so far'),
  question: z.string().nullable().describe('What a person has to decide; null if the step is done'),
  findings: Findings,
});
export type StepOutput = z.infer<typeof StepOutput>;

export interface StepInput {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly check: string;
  readonly file: string | null;
  /** The role of the agent and its instructions. */
  readonly role: { readonly agent: string; readonly instructions: string };
  readonly skills: readonly MatchingSkill[];
  readonly request: string;
  /** What people said about the step. Each is shown whole. */
  readonly said: readonly string[];
  readonly notes: readonly string[];
  readonly asked: readonly Asked[];
  readonly isCutShort: boolean;
}

/** A question beside its answer. */
const LONGEST_ASKED = LONGEST_FEEDBACK + 5_000;
/** After so many questions the first answers are in the files. */
const MOST_ASKED = 3;

/** One step of an approved plan, carried out in the worktree. */
export const stepPrompt: Prompt<StepInput> = {
  version: 'step@5',
  system: [
    'You carry out one step of a plan that a person approved, in a checkout of a git repository, on its own branch. Your results are files: documents, data, small changes of code.',
    'Do this step and nothing beyond it. Write what is true and what your material supports; mark what you assume. A document is complete: no placeholders, nothing left for later. Never delete, skip or weaken a test.',
    'The check of the step decides whether it is done. The service makes the check: it runs a command, or another agent reads what you wrote.',
    'If you need a decision that only a person can make, ask: finish with outcome needs-feedback and one clear question. Do not ask what the material answers.',
    CONVENTION_RULE,
    MATERIAL_RULE,
    SETUP_RULE,
    TOOL_RULE,
    GIT_RULE,
    'Finish with JSON: outcome, summary, question, findings. Use P0 in findings only for what must stop the work.',
  ].join('\n'),
  render: ({ id, title, detail, check, file, role, skills, request, said, notes, asked, isCutShort }) =>
    parts(
      `# Your step: ${id}\n\n${material('What to do', `${title}\n\n${detail}`, LONGEST_TASK)}`,
      material('How it is checked', check, 4_000),
      file === null ? null : material('The document that it writes', file, 1_000),
      material(`Your role, ${role.agent}`, role.instructions, 8_000),
      ...skills.map(({ name, instructions }) => material('A skill to use', `${name}\n\n${instructions}`, 8_000)),
      material('For context: the request of the whole project', request, 8_000),
      ...said.map((words) => material('What a person said', words, LONGEST_SAID)),
      notes.length > 0 ? material('What is known so far', notes.join('\n'), 12_000) : null,
      ...asked
        .slice(-MOST_ASKED)
        .map(({ question, answer }) =>
          material('What you asked, and what a person answered', `${question}\n=> ${answer ?? ''}`, LONGEST_ASKED),
        ),
      isCutShort ? 'You began this step before. Your changes are in the files: look at them first.' : null,
    ),
};
