import type { HealPattern, HealProblem, ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { repeatable } from '../shared/repeatable.js';
import { type CodingParts, currentOf, goodOf } from './coding-context.js';
import { contextOf } from './context.js';
import { surroundingsOf } from './execute-input.js';
import type { HealInput } from './heal.prompt.js';
import { saidAtBlock } from './notes.js';
import { shortenDiff } from './shorten-patch.js';

interface Given {
  readonly problem: HealProblem;
  readonly startCommit: string;
  readonly pattern: HealPattern | null;
  readonly hints: string;
}

const LONGEST_DIFF = 12_000;
const LONGEST_EARLIER = 4_000;

/** What the agent of a heal attempt is told. */
export async function healInput(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { problem, startCommit, pattern, hints }: Given,
): Promise<HealInput> {
  const { trouble, isRolledBack = false } = contextOf(activity);
  const good = goodOf(activity)?.commit ?? worktree.baseCommit;
  const { baseCommit } = worktree;
  const { diff, branchDiff } = await repeatable(activity, 'diffs-so-far', async () => {
    const between = async (from: string): Promise<string> =>
      from === startCommit ? '' : shortenDiff(await worktrees.diff(worktree, from, startCommit), LONGEST_DIFF);
    const own = isRolledBack ? '' : await between(good);
    return { diff: own, branchDiff: own === '' ? await between(baseCommit) : '' };
  });
  return {
    task: taskText(activity),
    said: saidAtBlock(activity),
    command: trouble?.command ?? problem.command,
    output: trouble?.output ?? problem.error,
    newFailures: trouble?.newFailures ?? [],
    attempts: problem.attempts.map((attempt) => ({ ...attempt, ...keptOf(activity, problem.id, attempt.number) })),
    pattern,
    hints,
    isRolledBack,
    diff,
    branchDiff,
    surroundings: surroundingsOf(activity),
  };
}

/** Kinds of tasks whose own words leave out what the request asks for. */
const PARTS_OF_REQUEST: readonly ProjectTask['kind'][] = ['request', 'proof', 'scenario', 'feedback'];

/** What the task is about. A part of the request means little without the request. */
function taskText(activity: ActivityContext): string {
  const { request } = activity.project;
  const task = currentOf(activity);
  if (!task) return request;
  const own = `${task.title}\n\n${task.detail}`.trim();
  const needsRequest = PARTS_OF_REQUEST.includes(task.kind) && !own.includes(request);
  return needsRequest ? `${request}\n\nThis step: ${own}` : own;
}

/** The diff and output of an attempt have a key of their own. */
function keptOf(activity: ActivityContext, problem: string, number: number): { diff: string; output: string } {
  const kept = contextOf(activity)[`attempt-${problem}-${String(number)}`];
  const { diff = '', output = '' } = (kept ?? {}) as { readonly diff?: string; readonly output?: string };
  return { diff: diff.slice(0, LONGEST_EARLIER), output: output.slice(-LONGEST_EARLIER) };
}
