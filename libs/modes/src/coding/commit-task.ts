import type { Finding, ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { withTask } from '#team';
import type { Worktree } from '#workspace';
import { shown } from '../shared/work-parts.js';
import {
  type CodingParts,
  deferredOf,
  type DeferredItem,
  findingsOf,
  listed,
  tasksOf,
  UNCHANGED,
} from './coding-context.js';
import { commitMessage, type TaskOutput, withOutcome } from './work-task.js';

interface Wish {
  readonly worktree: Worktree;
  readonly task: ProjectTask;
  /** A snapshot of what is to be committed. */
  readonly commit: string;
  readonly said: TaskOutput;
  readonly isSimulated: boolean;
}

/** What became of a task: a commit that names it, or the reason why none was needed. */
export async function commitTask(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  { worktree, task, commit, said, isSimulated }: Wish,
): Promise<{ readonly patch: JsonObject; readonly outcome: string }> {
  const made = await activity.effect({
    step: 'commit',
    settle: { kind: 'query', find: (run) => worktrees.findCommit(worktree, run) },
    run: async (run) => {
      const message = commitMessage(task, said.summary, isSimulated);
      // Exactly what was verified, whatever has happened to the files since.
      return (await worktrees.commitSnapshot(worktree, commit, message, activity.checkpoint, run)) ?? '';
    },
  });
  const outcome = outcomeOf(made, said);
  const note = said.summary.slice(0, 2_000);
  const isLeft = task.finding !== null && outcome.kind === 'deferred';
  const status = isLeft ? 'deferred' : 'completed';
  const tasks = withTask(tasksOf(activity), task.id, { status, commit: made || null, note });
  const item: DeferredItem = {
    title: task.title,
    cause: UNCHANGED,
    reason: outcome.reason ?? '',
    problem: null,
    task: task.id,
  };
  const head = made === '' ? commit : made;
  return {
    outcome: task.finding === null && outcome.kind === 'fixed' ? 'done' : outcome.kind,
    patch: {
      ...shown(worktree, head),
      good: { commit: head, checkpoint: activity.checkpoint.seq + 1 },
      tasks: listed(tasks),
      findings: listed(withOutcome(findingsOf(activity), task.finding, outcome)),
      ...(task.kind === 'request' && { isRequestUnchanged: outcome.kind !== 'fixed' }),
      ...(isLeft && { deferred: listed([...deferredOf(activity), item]) }),
      // The commit has the very tree that was verified.
      verifiedAt: head,
      pending: null,
      healed: null,
      failures: 0,
    },
  };
}

function outcomeOf(commit: string, said: TaskOutput): Finding['outcome'] {
  const reason = said.summary.slice(0, 1_000);
  if (commit !== '') return { kind: 'fixed', commit, reason: null };
  if (said.outcome === 'not-applicable') return { kind: 'not-applicable', commit: null, reason };
  return { kind: 'deferred', commit: null, reason: `nothing was changed for it: ${reason}` };
}
