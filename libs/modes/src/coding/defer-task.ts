import type { ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { withTask } from '#team';
import type { Worktree } from '#workspace';
import { commitOf, shown } from '../shared/work-parts.js';
import {
  type CodingParts,
  deferredOf,
  findingsOf,
  goodOf,
  listed,
  problemsOf,
  resolvedBlock,
  tasksOf,
} from './coding-context.js';
import type { DeferredItem } from './context.js';
import { keptOfPerson, leftByPerson } from './left-by-person.js';
import { putBack } from './put-back.js';
import { withOutcome } from './work-task.js';

interface Wish {
  readonly worktree: Worktree;
  readonly task: ProjectTask;
  readonly reason: string;
  readonly cause: string;
}

/** Puts a task off: what was changed for it goes, its finding and its problem say why. */
export async function deferTask(
  parts: CodingParts,
  activity: ActivityContext,
  { worktree, task, reason, cause }: Wish,
): Promise<JsonObject> {
  const commit = goodOf(activity)?.commit ?? commitOf(activity) ?? worktree.baseCommit;
  const kept = resolvedBlock(activity)
    ? keptOfPerson(activity, worktree, await leftByPerson(parts, activity, worktree))
    : {};
  await putBack(parts, activity, worktree, { to: commit, step: 'take-back' });
  const problem = problemsOf(activity).find(({ status, task: of }) => status === 'open' && of === task.id);
  const item: DeferredItem = { title: task.title, cause, reason, problem: problem?.id ?? null, task: task.id };
  const tasks = withTask(tasksOf(activity), task.id, { status: 'deferred', note: reason });
  const problems = problemsOf(activity).map((one) =>
    one.id === problem?.id ? { ...one, status: 'deferred' as const, reason } : one,
  );
  const findings = withOutcome(findingsOf(activity), task.finding, { kind: 'deferred', commit: null, reason });
  return {
    ...shown(worktree, commit),
    ...kept,
    tasks: listed(tasks),
    findings: listed(findings),
    problems: listed(problems),
    deferred: listed([...deferredOf(activity), item]),
    // What was taken back was part of what was verified: the rest is proven anew, before anybody accepts it.
    verification: null,
    verifiedAt: null,
    needsProof: tasks.some(({ commit: made }) => made !== null),
    healing: null,
    problem: null,
    pending: null,
    healed: null,
    failures: 0,
    isRolledBack: false,
    isCutShort: false,
  };
}

/** Puts off whatever else waits to be done, each with its finding and its own place in DEFERRED.md. */
export function deferRest(
  context: JsonObject,
  reason: string,
  cause: string,
  isMeant: (task: ProjectTask) => boolean = () => true,
): JsonObject {
  const scene = { context };
  const waiting = tasksOf(scene).filter(({ kind, status }) => kind !== 'review' && status === 'pending');
  const rest = waiting.filter(isMeant);
  const outcome = { kind: 'deferred', commit: null, reason } as const;
  return {
    tasks: listed(
      rest.reduce((all, { id }) => withTask(all, id, { status: 'deferred', note: reason }), tasksOf(scene)),
    ),
    findings: listed(rest.reduce((all, { finding }) => withOutcome(all, finding, outcome), findingsOf(scene))),
    deferred: listed([
      ...deferredOf(scene),
      ...rest.map(({ id, title }): DeferredItem => ({ title, cause, reason, problem: null, task: id })),
    ]),
  };
}
