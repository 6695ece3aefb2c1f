import type { ActivityContext } from '#engine';
import type { VerifyReport } from '#workspace';
import { renderAttempts, type ShownAttempt } from '../coding/earlier-attempts.js';
import { tasksOf } from '../coding/coding-context.js';
import { surroundingsOf } from '../coding/execute-input.js';
import { renderParts, renderSurroundings, type Surroundings } from '../coding/surroundings.js';
import { WORK_RULES } from '../coding/execute.prompt.js';
import { joinedFeedback } from '../shared/feedback-room.js';
import {
  ALONE_RULE,
  GIT_RULE,
  MATERIAL_RULE,
  material,
  materialList,
  parts,
  type Prompt,
  renderLimits,
  REPORT_RULE,
  SETUP_RULE,
  TOOL_RULE,
  VERIFIED_RULE,
} from '../shared/prompt.js';
import { orderOf } from '../shared/work-parts.js';
import { errandContextOf } from './context.js';

/** The one agent of an errand. */
export const ROLE = 'implementer';

/** The files that an attempt starts from. */
export interface ErrandStart {
  /** Whether the work begins again from the base, after too many failures. */
  readonly isRolledBack: boolean;
  /** What the files have changed since the base. */
  readonly diff: string;
  /** What the last attempt changed beyond that, and is in the files no more. */
  readonly lostDiff: string;
}

export interface ErrandInput {
  readonly request: string;
  readonly isCutShort: boolean;
  /** Verify commands that failed after the last attempt. */
  readonly failures: VerifyReport['commands'];
  /** Why the last attempt is not proven. */
  readonly doubt: string;
  /** What the checks printed that failed. */
  readonly doubtOutput: string;
  readonly start: ErrandStart;
  /** Heals before the last attempt. */
  readonly attempts: readonly ShownAttempt[];
  /** What the planner wrote for the request: each step with its detail and how one sees that it is done. */
  readonly steps: readonly string[];
  readonly surroundings: Surroundings;
  /** How far the agent may go, in words. */
  readonly limits: string;
  /** What a person said about it. */
  readonly feedback: string;
}

/** Beside the last attempt, which is shown whole. */
const MOST_ATTEMPTS = 2;

const LONGEST_PLAN = 8_000;
const LONGEST_DETAIL = 4_000;

/** A request carried out by one agent alone. */
export const errandPrompt: Prompt<ErrandInput> = {
  version: 'errand@6',
  system: [
    `You are a careful software engineer. You work alone in a checkout of a git repository, on its own branch. ${ALONE_RULE}`,
    ...WORK_RULES,
    MATERIAL_RULE,
    SETUP_RULE,
    TOOL_RULE,
    `${VERIFIED_RULE} ${GIT_RULE}`,
    'Finish with a short summary: what you changed and why. If you are asked for JSON: outcome is done, or not-applicable if nothing had to be changed. summary is that summary. wrongCheck is null, or why a check that you were shown contradicts the request or cannot work: another agent then decides.',
    REPORT_RULE,
  ].join('\n'),
  render: ({
    request,
    steps,
    isCutShort,
    failures,
    doubt,
    doubtOutput,
    start,
    attempts,
    feedback,
    surroundings,
    limits,
  }) =>
    parts(
      `# Your task\n\n${material('The request', request)}`,
      renderParts(surroundings),
      materialList('The plan for it, by an engineer who read the code', steps, LONGEST_PLAN, '\n\n'),
      isCutShort
        ? '# Where you stand\n\nYour last attempt was cut short. Its changes are in the files: look at them first, and continue from there.'
        : null,
      failures.length > 0
        ? `# What failed after your last attempt\n\n${material('Commands and the end of their output', failures.map(failureOf).join('\n\n'))}`
        : null,
      doubt === ''
        ? null
        : parts(
            `# Why the last attempt is not proven\n\n${material('What is missing', doubt, 6_000)}`,
            doubtOutput === '' ? null : material('What was printed', doubtOutput, 16_000),
            describeStart(start),
            start.lostDiff === '' ? null : material('What the last attempt changed', start.lostDiff, 12_000),
          ),
      feedback === '' ? null : `# What a person said about your last attempt\n\n${material('The feedback', feedback)}`,
      renderAttempts(attempts.slice(-MOST_ATTEMPTS)),
      start.diff === '' ? null : material('What the files have changed so far', start.diff, 12_000),
      // Parts and plan stand beside the request.
      renderSurroundings({ ...surroundings, parts: [], plan: [] }),
      limits,
    ),
};

function describeStart({ isRolledBack, lostDiff }: ErrandStart): string {
  if (isRolledBack) {
    return 'Its change was taken back: the files are as they were before the first attempt. Do the whole request again, in another way.';
  }
  const files =
    lostDiff === ''
      ? 'Its change is in the files.'
      : 'Its change was taken back. The files have the change of the first attempt. Do not repeat what failed.';
  return `${files} Fix what is missing. The request must stay done: do not remove its change to make tests pass.`;
}

function failureOf({ command, exitCode, endedBy, output }: ErrandInput['failures'][number]): string {
  const isOwnEnd = exitCode !== null && endedBy === 'itself';
  return `${command}: ${isOwnEnd ? `exit code ${String(exitCode)}` : `ended by ${endedBy}`}\n${output}`;
}

/** A fallback plan only repeats the request. */
function stepsOf(activity: Pick<ActivityContext, 'context'>): readonly string[] {
  const { requestPlan } = errandContextOf(activity);
  if (!requestPlan || requestPlan.fallback !== null) return [];
  return requestPlan.steps.map(({ task, title, check }, index) => {
    const detail = tasksOf(activity).find(({ id }) => id === task)?.detail ?? '';
    const done = check === '' ? '' : `Done if: ${check}`;
    return parts(`${String(index + 1)}. ${title}`, detail.slice(0, LONGEST_DETAIL), done);
  });
}

export function inputOf(activity: Pick<ActivityContext, 'project' | 'context'>, start: ErrandStart): ErrandInput {
  const known = errandContextOf(activity);
  const { isCutShort, doubt, doubtOutput, verification: before, decision, revision, earlierHeals } = known;
  const { turns, minutes } = orderOf(activity);
  const hasFailed = before?.verdict === 'failed';
  return {
    request: activity.project.request,
    isCutShort: isCutShort === true,
    failures: hasFailed ? before.commands.filter((one) => one.exitCode !== 0 || one.endedBy !== 'itself') : [],
    doubt: before ? (doubt ?? '') : '',
    doubtOutput: doubtOutput ?? '',
    start,
    attempts: earlierHeals ?? [],
    steps: stepsOf(activity),
    surroundings: surroundingsOf(activity),
    limits: renderLimits({ turns, wallMs: minutes * 60_000 }),
    // Of the last revisions, and of a block that the errand goes on from.
    feedback: joinedFeedback([...(revision?.said ?? []), decision?.feedback ?? ''].filter((said) => said !== '')),
  };
}
