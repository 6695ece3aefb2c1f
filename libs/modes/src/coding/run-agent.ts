import type { AgentOutcome, AgentTask } from '#agents';
import { type ActivityContext, type Report, waitFor } from '#engine';
import { type JsonObject, UserError } from '#kernel';
import type { Tier } from '#models';
import type { Worktree } from '#workspace';
import { withPatchedContext } from '../shared/patched-context.js';
import { isTooLong } from '../shared/next-try.js';
import { parts as joinParts, type Prompt, renderLimits } from '../shared/prompt.js';
import { runPersistently, type TriedOutcome } from '../shared/run-persistently.js';
import { shown } from '../shared/work-parts.js';
import { askPerson } from './ask-person.js';
import type { BlockDetails } from './block-screen.js';
import { codingOrderOf, type CodingParts } from './coding-context.js';
import { describeStop } from './describe-stop.js';

export const MAX_OUTPUT_TOKENS = 16_000;

export type Unfinished = Exclude<TriedOutcome, { kind: 'finished' }>;

/** Who is wanted for what. */
export interface AgentWish<Input> {
  readonly step: string;
  readonly role: string;
  readonly purpose: string;
  readonly attempt: number;
  readonly tier: Tier;
  readonly prompt: Prompt<Input>;
  readonly input: Input;
  readonly access: AgentTask['access'];
  readonly output?: AgentTask['output'];
  readonly limits?: Partial<AgentTask['limits']>;
}

/**
 * Runs one agent in the project's worktree from a commit. If it runs out of turns, time or context, if its output is
 * invalid or its files cannot be kept, or if it crashes, a fresh conversation continues its work, then one of the next
 * tier; then the failure is returned (see `nextTry`).
 */
export async function runAgent<Input>(
  parts: CodingParts,
  activity: ActivityContext,
  { worktree, startCommit }: { readonly worktree: Worktree; readonly startCommit: string },
  { prompt, input, access, limits, output, ...who }: AgentWish<Input>,
): Promise<TriedOutcome> {
  const { runtimes, workshop } = parts;
  const order = codingOrderOf(activity);
  const runtime = runtimes.get(order.runtime);
  if (!runtime) throw new UserError('RUNTIME_UNKNOWN', `there is no runtime ${order.runtime}`);
  const bounds = { turns: order.turns, wallMs: order.minutes * 60_000, maxOutputTokens: MAX_OUTPUT_TOKENS, ...limits };
  const task: AgentTask = {
    ...who,
    ...(order.models && { models: order.models }),
    promptVersion: prompt.version,
    system: prompt.system,
    prompt: joinParts(prompt.render(input), renderLimits(bounds)),
    access,
    mayRun: true,
    ...(output && { output }),
    limits: bounds,
  };
  const scene = { activity, worktree, startCommit, sandbox: workshop.sandbox(order) };
  return runPersistently(parts, runtime, task, scene);
}

/**
 * Why the activity cannot continue after an agent: it waits, its budget is spent, or the agent failed. With `kept`, what
 * the agent changed until then stays, and the next run looks at the files first.
 */
export function stoppedBy(
  activity: ActivityContext,
  outcome: Unfinished,
  patch: JsonObject,
  kept: Worktree | null,
  details: BlockDetails = {},
): Report {
  if (outcome.kind === 'waits') return waitFor(outcome.ms, outcome.reason, outcome.words);
  const left = {
    ...patch,
    ...(kept && shown(kept, outcome.commit)),
    ...simulatedBy(outcome),
    isCutShort: kept !== null,
  };
  return askPerson(activity, describeStop(withPatchedContext(activity, patch), outcome), left, details);
}

/**
 * Nobody answered, which says nothing about the task; another try would meet the same. A model that refuses, or cannot
 * hold the conversation, has answered.
 */
export const isOutage = (outcome: AgentOutcome): boolean =>
  outcome.kind === 'failed' &&
  outcome.code.startsWith('MODEL_') &&
  outcome.code !== 'MODEL_REFUSED' &&
  !isTooLong(outcome.code);

export const simulatedBy = (outcome: object): { simulated?: true } =>
  'isSimulated' in outcome && outcome.isSimulated === true ? { simulated: true } : {};
