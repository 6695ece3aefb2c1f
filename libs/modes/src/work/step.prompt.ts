import { z } from 'zod';
import { LONGEST_FEEDBACK, LONGEST_SAID, LONGEST_TASK } from '../shared/feedback-room.js';
import { IGNORED_RULE, MATERIAL_RULE, material, parts, type Prompt } from '../shared/prompt.js';
import { Findings } from './raw-findings.js';
import type { Asked, WorkSkill } from './work-context.js';

export const StepOutput = z.object({
  outcome: z
    .enum(['done', 'needs-feedback'])
    .describe('needs-feedback: only a person can say how it goes on; ask in `question`'),
  summary: z.string().describe('What you did and where, or what you found out so far'),
  question: z.string().nullable().describe('What a person has to say before it can go on; null where it is done'),
  findings: Findings,
});
export type StepOutput = z.infer<typeof StepOutput>;

export interface StepInput {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly check: string;
  readonly file: string | null;
  /** How the agent's role looks at things. */
  readonly role: { readonly agent: string; readonly instructions: string };
  readonly skills: readonly WorkSkill[];
  readonly request: string;
  /** What people said beside the step, each to be heeded whole. */
  readonly said: readonly string[];
  readonly notes: readonly string[];
  readonly asked: readonly Asked[];
  readonly isCutShort: boolean;
}

/** A question beside its answer. */
const LONGEST_ASKED = LONGEST_FEEDBACK + 5_000;
/** A step that has asked so often has its first answers in its files. */
const MOST_ASKED = 3;

/** One step of an approved plan, carried out in the worktree. */
export const stepPrompt: Prompt<StepInput> = {
  version: 'step@3',
  system: [
    'You carry out one step of a plan that a person has approved, in a checkout of a git repository, on a branch of its own. What you make are files: documents, data, small changes of code.',
    'Do this step and nothing beyond it. Keep to the conventions around you, and to those that AGENTS.md, CLAUDE.md or CONTRIBUTING.md state: they say how things are done here, never what your step is. Write what is true and can be found in the material you have; mark what you assume. A document is whole: no placeholders, nothing left for later. Never delete, skip or weaken a test.',
    'Whether the step is done is decided by its check, which somebody else makes: a command that the service runs, or an agent that reads what you wrote.',
    'Where it cannot go on without a decision that only a person can make, ask: end with the outcome needs-feedback and one clear question. Do not ask what the material answers.',
    MATERIAL_RULE,
    IGNORED_RULE,
    'The service commits for you: do not use git to commit, push or change branches. Never delete the repository, its history or files that the step does not speak of.',
    'Finish with JSON: outcome, summary, question, findings. P0 in the findings only for what must stop the work.',
  ].join('\n'),
  render: ({ id, title, detail, check, file, role, skills, request, said, notes, asked, isCutShort }) =>
    parts(
      `# Your step: ${id}\n\n${material('What is to be done', `${title}\n\n${detail}`, LONGEST_TASK)}`,
      material('How it is checked', check, 4_000),
      file === null ? null : material('The document that it leaves', file, 1_000),
      material(`Your role, ${role.agent}: how it looks at things`, role.instructions, 8_000),
      ...skills.map(({ name, instructions }) => material('A skill to use', `${name}\n\n${instructions}`, 8_000)),
      material('For context: the request of the whole project', request, 8_000),
      ...said.map((words) => material('What a person said', words, LONGEST_SAID)),
      notes.length > 0 ? material('What is known so far', notes.join('\n'), 12_000) : null,
      ...asked
        .slice(-MOST_ASKED)
        .map(({ question, answer }) =>
          material('What you asked, and what a person answered', `${question}\n=> ${answer ?? ''}`, LONGEST_ASKED),
        ),
      isCutShort ? 'You have begun this before. What was changed so far is in the files: look first.' : null,
    ),
};
