import type { AgentOutcome, AgentRuntime, AgentScene, AgentTask } from '#agents';
import type { EffectRun } from '#engine';
import { UserError } from '#kernel';
import type { Tier } from '#models';
import { renderHandOver } from './hand-over.js';
import { type NextTry, nextTry } from './next-try.js';
import { repeatable } from './repeatable.js';
import type { WorkParts } from './work-parts.js';

type Parts = Pick<WorkParts, 'worktrees' | 'desk'>;
type Failed = Extract<AgentOutcome, { kind: 'failed' }>;

/** Who was tried, how often, and which tier last. */
export interface TriedAgent {
  readonly role: string;
  readonly times: number;
  readonly tier: Tier;
}
export type TriedOutcome = AgentOutcome & { readonly tried?: TriedAgent };

/** How another try begins, as the journal keeps it. */
type Begun = { readonly hasModel: boolean; readonly files: readonly string[] };

/**
 * Runs a task until it finishes or no further try is due (see `nextTry`). Each try is a fresh conversation; it starts
 * from the files as the last one left them, and its prompt ends with a hand-over note.
 *
 * After a crash the loop must come to the same place: it decides by outcomes alone, which the runtime reads back from
 * the journal, and by the effect that begins each further try. The first try keeps the task's own step name.
 */
export async function runPersistently(
  parts: Parts,
  runtime: AgentRuntime,
  task: AgentTask,
  scene: AgentScene,
): Promise<TriedOutcome> {
  const tiers: Tier[] = [task.tier];
  let outcome = await runtime.run(task, scene);
  let start = scene.startCommit;
  let isSimulated = false;
  for (
    let next = nextTry(outcome, tiers, start);
    outcome.kind === 'failed' && next;
    next = nextTry(outcome, tiers, start)
  ) {
    const number = tiers.length + 1;
    const begun = await beginTry(parts, task, scene, next, number);
    if (!begun.hasModel) break;
    tiers.push(next.tier);
    isSimulated ||= outcome.isSimulated;
    start = next.from;
    outcome = await runtime.run(taskOfTry(task, outcome, next, { number, begun }), {
      ...scene,
      startCommit: next.from,
    });
  }
  const ended = isSimulated && outcome.kind !== 'waits' ? { ...outcome, isSimulated } : outcome;
  if (ended.kind !== 'failed' && ended.kind !== 'finished') return ended;
  return { ...ended, tried: { role: task.role, times: tiers.length, tier: tiers.at(-1) ?? task.tier } };
}

const stepOf = ({ step }: AgentTask, number: number): string => `${step}/try/${String(number)}`;

function beginTry(
  parts: Parts,
  task: AgentTask,
  { activity, worktree, startCommit }: AgentScene,
  { tier, from, why }: NextTry,
  number: number,
): Promise<Begun> {
  const { worktrees } = parts;
  return repeatable(activity, `${stepOf(task, number)}/begin`, async (run: EffectRun): Promise<Begun> => {
    if (tier !== task.tier && !hasModel(parts, task, tier)) return { hasModel: false, files: [] };
    run.tell('agent.continued', { role: task.role, why, tier, try: number });
    // An agent that only reads changes nothing, and may share the worktree with others.
    if (task.access === 'read' || from === startCommit) return { hasModel: true, files: [] };
    await worktrees.reset(worktree, from);
    const { files } = await worktrees.diff(worktree, startCommit, from);
    return { hasModel: true, files: files.map(({ path }) => path) };
  });
}

/** A tier that the user did not ask for may have no provider: then the failure stands. */
export function hasModel({ desk }: Pick<Parts, 'desk'>, { models }: Pick<AgentTask, 'models'>, tier: Tier): boolean {
  try {
    return desk.candidates(tier, models).length > 0;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

function taskOfTry(
  task: AgentTask,
  { message, said, lastCommand }: Failed,
  { tier, why }: NextTry,
  { number, begun }: { readonly number: number; readonly begun: Begun },
): AgentTask {
  const handOver = renderHandOver(
    { why, message, said, files: begun.files, lastCommand: lastCommand ?? null },
    task.access,
  );
  return {
    ...task,
    step: stepOf(task, number),
    attempt: task.attempt + number - 1,
    tier,
    prompt: `${task.prompt}\n\n${handOver}`,
  };
}
