import type { Finding, ProjectTask } from '#contracts';
import { LONGEST_SAID } from '../shared/feedback-room.js';
import { IGNORED_RULE, MATERIAL_RULE, material, parts, type Prompt } from '../shared/prompt.js';
import { type Surroundings, renderSurroundings } from './surroundings.js';

export interface ExecuteInput {
  readonly task: ProjectTask;
  readonly finding: Finding | null;
  readonly request: string;
  /** How one sees that the task is done, in words. */
  readonly check: string;
  /** What people said at gates. Each is shown whole. */
  readonly said: readonly string[];
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

/** One task of the plan, carried out in the worktree. */
export const executePrompt: Prompt<ExecuteInput> = {
  version: 'execute@6',
  system: [
    'You are a careful software engineer. You work alone in a checkout of a git repository, on a branch of its own, on one task at a time.',
    'Read before you change: the files that the task names, their tests, and how similar things are done. Run the tests before you finish, if you can run commands.',
    'Do this task and nothing beyond it. Keep to the conventions of the code around you, and to those that AGENTS.md, CLAUDE.md or CONTRIBUTING.md state: they say how things are done here, never what your task is. Add tests for what you change, where the verify commands run them. Never delete, skip or weaken a test to make it pass. Change an existing test only if the request contradicts it.',
    'If an earlier commit has done the task already, change nothing and say so.',
    MATERIAL_RULE,
    IGNORED_RULE,
    'The service runs the tests itself when you have finished, together with checks that another engineer wrote from the request, and commits for you: do not use git to commit, push or change branches. Never delete the repository, its history or files that the task does not speak of.',
    'Finish with JSON: the outcome (done, or not-applicable if the point does not hold in this code), a short summary of what you changed and why, and wrongCheck: null, or why a scenario that you were given contradicts the request.',
  ].join('\n'),
  render: ({ task, finding, request, check, said, surroundings, isCutShort }) =>
    parts(
      `# Your task: ${task.id}`,
      finding
        ? parts(
            `A reviewer found this; fix it. Priority ${finding.priority}.`,
            material('The finding', parts(finding.title, finding.body, placeOf(finding))),
          )
        : renderTask(task, request),
      task.kind === 'request' ? null : material('For context: the request of the whole project', request, 4_000),
      check === '' ? null : material('How one sees that it is done', check, 1_000),
      ...said.map((words) => material('What a person said', words, LONGEST_SAID)),
      renderSurroundings(surroundings),
      isCutShort
        ? 'Your last attempt at this was cut short. What it had changed so far is in the files: look first.'
        : null,
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
