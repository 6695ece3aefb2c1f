import type { Finding, ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { withTask } from '#team';
import type { Worktree } from '#workspace';
import { shown } from '../shared/work-parts.js';
import { type CodingParts, deferredOf, findingsOf, listed, tasksOf, UNCHANGED } from './coding-context.js';
import { contextOf, type DeferredItem } from './context.js';
import { commitMessage, type TaskOutput, withOutcome } from './work-task.js';

interface Wish {
  readonly worktree: Worktree;
  readonly task: ProjectTask;
  /** A snapshot of what is to be committed. */
  readonly commit: string;
  readonly said: TaskOutput;
  readonly isSimulated: boolean;
  /** Whether all verify commands ran on it. */
  readonly isWhole: boolean;
}

/** What became of a task: a commit that names it, or the reason why none was needed. */
export async function commitTask(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  { worktree, task, commit, said, isSimulated, isWhole }: Wish,
): Promise<{ readonly patch: JsonObject; readonly outcome: string }> {
  const made = await activity.effect({
    step: 'commit',
    settle: { kind: 'query', find: (run) => worktrees.findCommit(worktree, run) },
    run: async (run) => {
      const message = commitMessage(task, said.summary, isSimulated);
      // Exactly what was verified, even if the files have changed since.
      return (await worktrees.commitSnapshot(worktree, commit, message, activity.checkpoint, run)) ?? '';
    },
  });
  const earlier = made === '' ? earlierCommitFor(activity, { task, commit, said }) : null;
  const outcome = outcomeOf(made, said, earlier);
  const isLeft = task.finding !== null && outcome.kind === 'deferred';
  const tasks = withTask(tasksOf(activity), task.id, {
    status: isLeft ? 'deferred' : 'completed',
    commit: made || null,
    note: noteOf(said, earlier),
  });
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
      findings: listed(settleFindings(activity, task, outcome)),
      ...(isLeft && { deferred: listed([...deferredOf(activity), item]) }),
      // The commit has the very tree that was verified. The proof needs a run of the whole suite.
      verifiedAt: isWhole ? head : null,
      pending: null,
      healed: null,
      failures: 0,
    },
  };
}

/** The finding of the task, and those that its step of the plan covers. */
function settleFindings(
  activity: ActivityContext,
  { id, finding }: ProjectTask,
  outcome: Finding['outcome'],
): readonly Finding[] {
  const findings = withOutcome(findingsOf(activity), finding, outcome);
  const covered = contextOf(activity).requestPlan?.steps.find(({ task }) => task === id)?.findings ?? [];
  const commit = outcome.commit ?? lastCommitOf(activity)?.commit ?? null;
  if (outcome.kind === 'deferred' || commit === null) return findings;
  return covered.reduce((all, one) => withOutcome(all, one, { kind: 'fixed', commit, reason: null }), findings);
}

const lastCommitOf = (activity: ActivityContext): ProjectTask | null =>
  tasksOf(activity).findLast(({ commit }) => commit !== null) ?? null;

/**
 * The task whose commit did the work of one that changed nothing; null if nothing shows that. The checks of a step have
 * been run. For a finding, another agent has to say that it is fixed.
 */
function earlierCommitFor(
  activity: ActivityContext,
  { task, commit, said }: Pick<Wish, 'task' | 'commit' | 'said'>,
): ProjectTask | null {
  const { confirmedFix } = contextOf(activity);
  const isConfirmed = confirmedFix?.finding === task.finding && confirmedFix?.commit === commit;
  const isDone = task.finding === null || (isConfirmed && said.outcome === 'done');
  return isDone ? lastCommitOf(activity) : null;
}

function noteOf({ summary }: TaskOutput, earlier: ProjectTask | null): string {
  const by = earlier ? `Done by ${earlier.id}. ` : '';
  return `${by}${summary}`.slice(0, 2_000);
}

function outcomeOf(commit: string, said: TaskOutput, earlier: ProjectTask | null): Finding['outcome'] {
  const reason = said.summary.slice(0, 1_000);
  if (commit !== '') return { kind: 'fixed', commit, reason: null };
  if (said.outcome === 'not-applicable') return { kind: 'not-applicable', commit: null, reason };
  if (earlier) return { kind: 'fixed', commit: earlier.commit, reason: null };
  return { kind: 'deferred', commit: null, reason: `Nothing was changed for it: ${reason}` };
}
