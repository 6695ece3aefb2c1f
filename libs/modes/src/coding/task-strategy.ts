import type { AgentOutcome } from '#agents';
import type { ProjectTask } from '#contracts';
import type { ActivityContext, Report } from '#engine';
import type { JsonObject } from '#kernel';
import type { Tier } from '#models';
import type { VerifyReport, Worktree } from '#workspace';
import { acceptText } from '../shared/accept-text.js';
import { nextTier } from '../shared/next-try.js';
import { codingOrderOf, type CodingParts, tasksOf } from './coding-context.js';
import { executeInput } from './execute-input.js';
import { executePrompt } from './execute.prompt.js';
import type { CheckOutcome, CheckRequest } from './proof/check-outcome.js';
import { checkTask } from './proof/check-task.js';
import { runAgent } from './run-agent.js';
import { readTaskOutput, TaskOutput } from './work-task.js';

export const IMPLEMENTER = 'implementer';

export type Finished = Extract<AgentOutcome, { kind: 'finished' }>;

/** What the agent of a task reported. */
export interface AgentReply {
  readonly said: TaskOutput;
  readonly patch: JsonObject;
  /** If only a person can decide how to go on: the event that asks, and what is known then. */
  readonly asks: { readonly event: string; readonly patch: JsonObject; readonly data: JsonObject } | null;
}

/** How tasks of some kinds are carried out and checked. */
export interface TaskStrategy {
  readonly ownerOf: (activity: ActivityContext, task: ProjectTask) => string;
  readonly run: (
    activity: ActivityContext,
    at: { readonly worktree: Worktree; readonly startCommit: string },
    task: ProjectTask,
  ) => Promise<AgentOutcome>;
  readonly readReply: (activity: ActivityContext, task: ProjectTask, outcome: Finished) => AgentReply;
  readonly check: (activity: ActivityContext, worktree: Worktree, wish: CheckRequest) => Promise<CheckOutcome>;
  /** Whether the check of this task needs no result of the tests: it may run beside them. */
  readonly canCheckEarly: (task: ProjectTask) => boolean;
  /** What is kept of a task that is done. The context is as its check left it. */
  readonly kept: (context: JsonObject, task: ProjectTask, commit: string | null) => JsonObject;
}

/** Selects the strategy of a task. */
export type TaskStrategies = (activity: Pick<ActivityContext, 'context'>, task: ProjectTask) => TaskStrategy;

/** How a mode carries out its tasks, if it differs from coding mode. */
export interface ExecutionPolicy {
  readonly strategies: TaskStrategies;
  /** Takes up a decision before anything else, such as the approval of a plan. */
  readonly begin: (activity: ActivityContext) => Promise<Report | null>;
  /** Judges the whole once no task is left. */
  readonly prove: (activity: ActivityContext, worktree: Worktree, baseline: VerifyReport) => Promise<Report>;
}

/** A scenario that fails again after a round of acceptance is worked on by the next tier. */
function tierOfTask(activity: ActivityContext, { id, kind, title }: ProjectTask): Tier {
  const { tier } = codingOrderOf(activity);
  const isBefore = (one: ProjectTask): boolean =>
    one.kind === 'scenario' && one.id !== id && one.title === title && one.status === 'completed';
  const isAgain = kind === 'scenario' && tasksOf(activity).some(isBefore);
  return isAgain ? (nextTier(tier) ?? tier) : tier;
}

/** Coding and classic mode: an implementer works; tests, checks and an independent agent decide. */
export const implementerStrategy = (parts: CodingParts): TaskStrategy => ({
  ownerOf: () => IMPLEMENTER,
  run: async (activity, at, task) =>
    acceptText(
      await runAgent(parts, activity, at, {
        step: IMPLEMENTER,
        role: IMPLEMENTER,
        purpose: 'execute',
        attempt: 1,
        tier: tierOfTask(activity, task),
        prompt: executePrompt,
        input: await executeInput(parts, activity, at, task),
        access: 'write',
        output: { name: 'task', type: TaskOutput },
      }),
    ),
  readReply: (_activity, _task, { output, text }) => ({ said: readTaskOutput(output, text), patch: {}, asks: null }),
  check: checkTask(parts),
  canCheckEarly: ({ kind }) => kind === 'finding',
  kept: () => ({}),
});
