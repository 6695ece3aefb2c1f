import type { Finding, HealAttempt, ProjectTask } from '#contracts';
import { LONGEST_SAID, LONGEST_TASK } from '../shared/feedback-room.js';
import {
  ALONE_RULE,
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
import { renderAttempts } from './earlier-attempts.js';
import { type Surroundings, renderSurroundings } from './surroundings.js';

export interface ExecuteInput {
  readonly task: ProjectTask;
  readonly finding: Finding | null;
  readonly request: string;
  /** How one sees that the task is done, in words. */
  readonly check: string;
  /** What people said at gates: at one block, and with the approval. All of it is shown. */
  readonly said: readonly string[];
  /** What the branch has changed so far, all tasks together. */
  readonly diff: string;
  /** Earlier attempts at the task that failed. */
  readonly attempts: readonly HealAttempt[];
  readonly surroundings: Surroundings;
  readonly isCutShort: boolean;
}

/** What a reviewer calls a file may be any text. */
const placeOf = ({ file, line }: Finding): string | null =>
  file === null ? null : `At ${file}${line === null ? '' : `:${String(line)}`}`;

/** What the text of a task is, if it is no step of the request. */
const TITLES: Partial<Record<ProjectTask['kind'], string>> = {
  scenario: 'An acceptance scenario that failed, with its command and output',
  feedback: 'What a person who looked at the result wants changed',
  proof: 'What is missing for a proof of the result',
};

/** How an engineer works on a task, whether it is the first time or not. */
export const WORK_RULES: readonly string[] = [
  'First read the files that the task is about, their tests and callers, and how this repository does similar things. Look names up, do not guess. For a bug, first see it fail: run a failing test alone, or a small script. Fix the cause, not the symptom. Then run the tests of what you changed, any formatter or linter on these files, and the verify commands; read what they print. Last, read your whole change and remove what is not needed. Do not stop at a plan.',
  'Do the whole task, for all inputs and not only the examples, and nothing beyond it: no other fixes, renaming, reformatting or placeholders. If a part has an interface, use exactly these names. Correct documents that your change makes wrong. Change generated files by their generator only. Comments say why, not what you changed.',
  'Plan, advice and findings may be wrong: check them in the code, and name in your summary what is.',
  CONVENTION_RULE,
  'Add tests for behaviour that you change, in files that the verify commands run. Without tests in the repository, add none unless they are asked for. Do not touch failures that are not your concern, nor undo what earlier steps or a person changed.',
  TEST_RULE,
  SAFETY_RULE,
];

/** One task of the plan, carried out in the worktree. */
export const executePrompt: Prompt<ExecuteInput> = {
  version: 'execute@9',
  system: [
    `You are a careful software engineer. You work alone in a checkout of a git repository, on its own branch, on one task. ${ALONE_RULE}`,
    ...WORK_RULES,
    'If an earlier commit has done the task already, change nothing: the outcome is done, and the summary says where.',
    MATERIAL_RULE,
    SETUP_RULE,
    TOOL_RULE,
    `${VERIFIED_RULE} ${GIT_RULE}`,
    'Finish with JSON. outcome: done, or not-applicable if what the task says does not hold in this code. summary: briefly, what you changed and why. wrongCheck: null, or why a scenario or check that you were given contradicts the request or cannot work.',
    REPORT_RULE,
  ].join('\n'),
  render: ({ task, finding, request, check, said, diff, attempts, surroundings, isCutShort }) =>
    parts(
      `# Your task: ${task.id}`,
      finding
        ? parts(
            `A reviewer found this; fix it. Priority ${finding.priority}.`,
            material('The finding', parts(finding.title, finding.body, placeOf(finding))),
          )
        : renderTask(task, request),
      task.kind === 'request' ? null : material('For context: the request of the whole project', request, 4_000),
      check === '' ? null : material('It is done if this holds', check, 1_000),
      said.length > 0 ? material('What a person said', said.join('\n\n'), LONGEST_SAID + LONGEST_TASK) : null,
      isCutShort
        ? 'An earlier attempt at this task was cut short. Its changes are in the files: look at them first, and continue from there.'
        : null,
      diff === '' ? null : material('What the branch has changed so far', diff, 10_000),
      renderAttempts(attempts),
      renderSurroundings(surroundings),
    ),
};

function renderTask(task: ProjectTask, request: string): string {
  if (task.kind !== 'request') return material(TITLES[task.kind] ?? 'The task', task.detail);
  const isWhole = task.detail === request || (task.detail === '' && request.startsWith(task.title));
  return parts(
    material('The request', request),
    isWhole ? null : material('Your step of the plan for it', parts(task.title, task.detail)),
  );
}
