import { z } from 'zod';
import type { HealAttempt } from '#contracts';
import { renderAttempts } from '../coding/earlier-attempts.js';
import { renderSurroundings, type Surroundings } from '../coding/surroundings.js';
import { LONGEST_FEEDBACK, LONGEST_SAID, LONGEST_TASK } from '../shared/feedback-room.js';
import type { MatchingSkill } from '../shared/matching-skills.js';
import {
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
  VERIFIED_RULE,
} from '../shared/prompt.js';
import { Findings } from './raw-findings.js';
import type { Asked } from './work-context.js';

export const StepOutput = z.object({
  outcome: z
    .enum(['done', 'needs-feedback'])
    .describe('needs-feedback: only a person can decide how to go on; ask in `question`'),
  summary: z.string().describe('What you did and where, or what you know so far'),
  question: z.string().nullable().describe('What a person has to decide; null if the step is done'),
  wrongCheck: z
    .string()
    .nullable()
    .optional()
    .describe('If the check of the step contradicts the request or cannot hold: why; otherwise null'),
  findings: Findings,
});
export type StepOutput = z.infer<typeof StepOutput>;

export interface StepInput {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly check: string;
  /** Run by the service; null: another agent reads the result. */
  readonly command: string | null;
  readonly file: string | null;
  /** The role of the agent and its instructions. */
  readonly role: { readonly agent: string; readonly instructions: string };
  readonly skills: readonly MatchingSkill[];
  readonly request: string;
  /** What people said about the step. Each is shown whole. */
  readonly said: readonly string[];
  readonly asked: readonly Asked[];
  /** What the branch has changed so far, all steps together. */
  readonly diff: string;
  /** Earlier attempts at the step that failed. */
  readonly attempts: readonly HealAttempt[];
  readonly surroundings: Surroundings;
  readonly isCutShort: boolean;
}

/** A question beside its answer. What was answered before is in the files by now. */
const LONGEST_ASKED = LONGEST_FEEDBACK + 5_000;
const LONGEST_EARLIER = 1_000;
const MOST_ASKED = 3;

/** One step of an approved plan, carried out in the worktree. */
export const stepPrompt: Prompt<StepInput> = {
  version: 'step@6',
  system: [
    'You carry out one step of a plan that a person approved, in a checkout of a git repository, on its own branch. Your results are files: documents, data, changes of code.',
    'Do this step and nothing beyond it. Write what is true and what your material supports; mark what you assume. A document is complete: no placeholders, nothing left for later. In code, fix the cause for all inputs and not only for the examples, and use the names of the interface: others rely on them.',
    'The check of the step decides whether it is done. The service makes the check: it runs a command, or another agent reads what you wrote.',
    'If you need a decision that only a person can make, ask: finish with outcome needs-feedback and one clear question. Do not ask what the material answers.',
    CONVENTION_RULE,
    TEST_RULE,
    SAFETY_RULE,
    MATERIAL_RULE,
    SETUP_RULE,
    TOOL_RULE,
    `${VERIFIED_RULE} ${GIT_RULE}`,
    'Finish with JSON: outcome, summary, question, wrongCheck, findings. wrongCheck: null, or why the check of the step contradicts the request or cannot hold: another agent decides. Use P0 in findings only for what must stop the work.',
    REPORT_RULE,
  ].join('\n'),
  render: ({ id, title, detail, check, command, file, role, skills, request, said, asked, ...known }) =>
    parts(
      `# Your step: ${id}\n\n${material('What to do', `${title}\n\n${detail}`, LONGEST_TASK)}`,
      material('How it is checked', check, 3_000),
      command === null ? null : material('The command that the service runs to check it', command, 2_000),
      file === null ? null : material('The document that it writes', file, 1_000),
      material(`Your role, ${role.agent}`, role.instructions, 6_000),
      ...skills.map(({ name, instructions }) => material('A skill to use', `${name}\n\n${instructions}`, 8_000)),
      material('For context: the request of the whole project', request, 4_000),
      said.length > 0 ? material('What a person said', said.join('\n\n'), LONGEST_SAID + LONGEST_TASK) : null,
      ...asked
        .slice(-MOST_ASKED)
        .toReversed()
        .map(({ question, answer }, age) =>
          material(
            'What you asked, and what a person answered',
            `${question}\n=> ${answer ?? ''}`,
            age === 0 ? LONGEST_ASKED : LONGEST_EARLIER,
          ),
        ),
      known.isCutShort ? 'You began this step before. Your changes are in the files: look at them first.' : null,
      known.diff === '' ? null : material('What the branch has changed so far', known.diff, 10_000),
      renderAttempts(known.attempts),
      renderSurroundings(known.surroundings),
    ),
};
