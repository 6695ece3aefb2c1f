import type { AgentOutcome } from '#agents';
import type { ProjectTask } from '#contracts';
import type { ActivityContext, Report } from '#engine';
import type { JsonObject } from '#kernel';
import type { Comparison } from '#self-heal';
import type { VerifyReport, Worktree } from '#workspace';
import { codingOrderOf, type CodingParts } from './coding-context.js';
import { executePrompt } from './execute.prompt.js';
import { notesFor, saidByPeople } from './notes.js';
import { runAgent, type Unfinished } from './run-agent.js';
import { findingOf, readTaskOutput, TaskOutput } from './work-task.js';

export const IMPLEMENTER = 'implementer';

export type Finished = Extract<AgentOutcome, { kind: 'finished' }>;

/** What whoever carried a task out says of it. */
export interface Heard {
  readonly said: TaskOutput;
  readonly patch: JsonObject;
  /** Where only a person can say how it goes on: the event that asks, and what is to be known then. */
  readonly asks: { readonly event: string; readonly patch: JsonObject; readonly data: JsonObject } | null;
}

/** Whether what a task is to come to is there, beside verify commands that fail no worse than before. */
export type Checked =
  | { readonly kind: 'held'; readonly patch: JsonObject }
  | { readonly kind: 'failed'; readonly comparison: Comparison; readonly patch: JsonObject }
  /** What somebody came across until then holds all the same. */
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

export interface CheckWish {
  readonly task: ProjectTask;
  /** What is judged: a snapshot, or a commit. */
  readonly commit: string;
}

/** How tasks of some kinds are carried out and checked. */
export interface Manner {
  readonly ownerOf: (activity: ActivityContext, task: ProjectTask) => string;
  readonly run: (
    activity: ActivityContext,
    at: { readonly worktree: Worktree; readonly startCommit: string },
    task: ProjectTask,
  ) => Promise<AgentOutcome>;
  readonly heard: (activity: ActivityContext, task: ProjectTask, outcome: Finished) => Heard;
  readonly check: (activity: ActivityContext, worktree: Worktree, wish: CheckWish) => Promise<Checked>;
  /** What is kept of a task that is done, where the context is as its check left it. */
  readonly kept: (context: JsonObject, task: ProjectTask, commit: string | null) => JsonObject;
}

/** Which manner a task has. */
export type Manners = (activity: Pick<ActivityContext, 'context'>, task: ProjectTask) => Manner;

/** How a mode carries out its tasks, where that is otherwise than in coding mode. */
export interface HowToExecute {
  readonly manners: Manners;
  /** What has to be taken up before anything else, such as the approval of a plan. */
  readonly begin: (activity: ActivityContext) => Promise<Report | null>;
  /** The end, where no task is left. */
  readonly prove: (activity: ActivityContext, worktree: Worktree, baseline: VerifyReport) => Promise<Report>;
}

/** Of coding and classic mode: an implementer works, and the verify commands decide. */
export const asImplementer = (parts: CodingParts): Manner => ({
  ownerOf: () => IMPLEMENTER,
  run: (activity, at, task) =>
    runAgent(parts, activity, at, {
      step: IMPLEMENTER,
      role: IMPLEMENTER,
      purpose: 'execute',
      attempt: 1,
      tier: codingOrderOf(activity).tier,
      prompt: executePrompt,
      input: {
        task,
        finding: findingOf(activity, task),
        request: activity.project.request,
        said: saidByPeople(activity),
        notes: notesFor(activity),
        isCutShort: activity.context['isCutShort'] === true,
      },
      access: 'write',
      output: { name: 'task', type: TaskOutput },
    }),
  heard: (_activity, _task, { output, text }) => ({ said: readTaskOutput(output, text), patch: {}, asks: null }),
  check: () => Promise.resolve({ kind: 'held', patch: {} }),
  kept: () => ({}),
});
