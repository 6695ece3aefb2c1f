import type { HealPattern, HealProblem, ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import { repeatable } from '../shared/repeatable.js';
import { type CodingParts, currentOf, goodOf } from './coding-context.js';
import { contextOf, type Trouble } from './context.js';
import { withKept } from './earlier-attempts.js';
import { checkOf, surroundingsOf } from './execute-input.js';
import type { HealInput } from './heal.prompt.js';
import { saidAtBlock, settledNotes } from './notes.js';
import { shortenDiff } from './shorten-patch.js';

interface Given {
  readonly problem: HealProblem;
  readonly startCommit: string;
  readonly pattern: HealPattern | null;
  readonly hints: string;
}

const LONGEST_DIFF = 12_000;

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
    request: contextOfTask(activity),
    check: checkOf(activity, currentOf(activity)?.id ?? ''),
    said: saidAtBlock(activity),
    command: trouble?.command ?? problem.command,
    output: trouble ? describeTrouble(trouble) : problem.error,
    newFailures: trouble?.newFailures ?? [],
    attempts: withKept(activity, problem),
    pattern,
    hints,
    diff,
    branchDiff,
    // What was said with an approval is part of what was settled: said words are shown whole, and have no room here.
    surroundings: { ...surroundingsOf(activity), settled: settledNotes(activity) },
  };
}

const LONGEST_TROUBLE = 9_900;
const LONGEST_FILES = 4_400;

/** What was printed, and the check that failed. Cut in the middle, so that the end of the output stays. */
function describeTrouble({ output, alsoFails = '', checkFiles = '' }: Trouble): string {
  const check = [
    ...(alsoFails === '' ? [] : [`The last attempt fixed that, and then this check of the task failed:\n${alsoFails}`]),
    ...(checkFiles === '' ? [] : [`Files of the check:\n${checkFiles.slice(0, LONGEST_FILES)}`]),
  ].join('\n\n');
  if (check === '') return output;
  const room = LONGEST_TROUBLE - check.length;
  const half = Math.floor(room / 2);
  const shown = output.length > room ? `${output.slice(0, half)}\n[…]\n${output.slice(-half)}` : output;
  return `${shown}\n\n${check}`;
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

/** The request, unless the text of the task has it. */
const contextOfTask = (activity: ActivityContext): string =>
  taskText(activity).includes(activity.project.request) ? '' : activity.project.request;
