import type { AgentOutcome, AgentTask } from '#agents';
import { type ActivityContext, type Report, waitFor } from '#engine';
import { type JsonObject, UserError } from '#kernel';
import type { Tier } from '#models';
import type { Worktree } from '#workspace';
import { overBudget } from '../shared/block.js';
import { askPerson } from './ask-person.js';
import { withPatchedContext } from '../shared/patched-context.js';
import { isTooLong } from '../shared/next-try.js';
import type { Prompt } from '../shared/prompt.js';
import { runPersistently } from '../shared/run-persistently.js';
import { shown } from '../shared/work-parts.js';
import { codingOrderOf, type CodingParts } from './coding-context.js';
import { describeProgress } from './screen-lines.js';

export const MAX_OUTPUT_TOKENS = 16_000;

export type Unfinished = Exclude<AgentOutcome, { kind: 'finished' }>;

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
): Promise<AgentOutcome> {
  const { runtimes, workshop } = parts;
  const order = codingOrderOf(activity);
  const runtime = runtimes.get(order.runtime);
  if (!runtime) throw new UserError('RUNTIME_UNKNOWN', `there is no runtime ${order.runtime}`);
  const task: AgentTask = {
    ...who,
    ...(order.models && { models: order.models }),
    promptVersion: prompt.version,
    system: prompt.system,
    prompt: prompt.render(input),
    access,
    mayRun: true,
    ...(output && { output }),
    limits: { turns: order.turns, wallMs: order.minutes * 60_000, maxOutputTokens: MAX_OUTPUT_TOKENS, ...limits },
  };
  const scene = { activity, worktree, startCommit, sandbox: workshop.sandbox(order) };
  return runPersistently(parts, runtime, task, scene);
}

const AGENT_ANSWER = [
  'Likely best answer: if the cause can pass, such as a model that did not answer, decide `resolve`: the agent starts again.',
  'It reads what you say with it. `defer` leaves the task for later.',
].join(' ');

/**
 * Why the activity cannot continue after an agent: it waits, its budget is spent, or the agent failed. With `kept`, what
 * the agent changed until then stays, and the next run looks at the files first.
 */
export function stoppedBy(
  activity: ActivityContext,
  outcome: Unfinished,
  patch: JsonObject,
  kept: Worktree | null,
): Report {
  if (outcome.kind === 'waits') return waitFor(outcome.ms, outcome.reason, outcome.words);
  const left = {
    ...patch,
    ...(kept && shown(kept, outcome.commit)),
    ...simulatedBy(outcome),
    isCutShort: kept !== null,
  };
  const progress = describeProgress(withPatchedContext(activity, patch));
  const screenOf = (...words: readonly string[]): string => [...words, ...progress].join('\n\n');
  if (outcome.kind === 'over-budget')
    return askPerson({ cause: 'budget', message: screenOf(overBudget(outcome.breaker)) }, left);
  const { message, code, said } = outcome;
  return askPerson({ cause: 'agent', message: screenOf(message, AGENT_ANSWER), code, output: said }, left);
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
