import type { ProjectTask } from '#contracts';
import { type ActivityContext, type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import { withTask } from '#team';
import type { VerifyReport, Worktree } from '#workspace';
import { withPatchedContext } from '../shared/patched-context.js';
import { sideBySide } from '../shared/side-by-side.js';
import { isAfterBlock, verdictOf } from '../shared/verification.js';
import { asJson, commitOf, shown } from '../shared/work-parts.js';
import { deferAsides, isAside, whyDropped, whyNotBegun } from './asides.js';
import { type CodingParts, goodOf, listed, tasksOf, unblocked } from './coding-context.js';
import { commitTask } from './commit-task.js';
import { contextOf } from './context.js';
import { deferTask } from './defer-task.js';
import { keptOfPerson } from './left-by-person.js';
import { foundProblem } from './problem.js';
import { verifyStep } from './proof/verify-focused.js';
import { simulatedBy, stoppedBy, type Unfinished } from './run-agent.js';
import { failuresSettledBy } from './scoping/request-plan.js';
import type { AgentReply, TaskStrategy } from './task-strategy.js';
import type { TaskOutput } from './work-task.js';

interface Work {
  readonly task: ProjectTask;
  readonly baseline: VerifyReport;
  readonly startCommit: string;
  readonly strategy: TaskStrategy;
}

/** One task: an agent works on it, the service verifies and checks the result, and commits it if it holds. */
export async function carryOut(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { task, baseline, startCommit, strategy }: Work,
): Promise<Report> {
  const known: JsonObject = {
    baseline: asJson(baseline),
    good: asJson(goodOf(activity) ?? startOf(activity, worktree)),
    ...keptOfPerson(activity, worktree, startCommit),
  };
  // SELF_HEAL has verified and checked it: only its commit is left to make.
  const { healed } = contextOf(activity);
  if (healed && healed.commit === commitOf(activity)) {
    const { commit, summary } = healed;
    const done = { task, commit, said: { outcome: 'done', summary } as const, strategy, isWhole: true };
    return finish(parts, activity, worktree, { ...done, known: { ...known, healed: null } });
  }
  const scene: Scene = { parts, activity, worktree, task, known };
  // What a person changed meanwhile is committed with the task.
  const isUntouched = task.status === 'pending' && startCommit === startOf(activity, worktree).commit;
  const notBegun = isUntouched && isAside(activity, task) ? await whyNotBegun(parts, activity) : null;
  if (notBegun !== null) return leaveAsides(scene, notBegun);
  const outcome = await strategy.run(activity, { worktree, startCommit }, task);
  const owner = strategy.ownerOf(activity, task);
  const begun = (patch: JsonObject): JsonObject => {
    const tasks = tasksOf({ context: { ...activity.context, ...patch } });
    return { ...patch, tasks: listed(withTask(tasks, task.id, { status: 'in_progress', owner })) };
  };
  if (outcome.kind !== 'finished') return stopOrDrop(scene, outcome, begun(known));
  const { commit } = outcome;
  const reply = strategy.readReply(activity, task, outcome);
  const said = begun({ ...known, ...simulatedBy(outcome), ...reply.patch });
  if (reply.asks) return ask(reply.asks, { ...said, ...shown(worktree, commit) });
  const isDoneBefore = commit === startCommit;
  return verifyAndCommit(scene, { baseline, strategy, commit, isDoneBefore, reply: reply.said, patch: said });
}

/** A task at work, and what is known if it ends now. */
interface Scene {
  readonly parts: CodingParts;
  readonly activity: ActivityContext;
  readonly worktree: Worktree;
  readonly task: ProjectTask;
  readonly known: JsonObject;
}

interface Changed {
  readonly baseline: VerifyReport;
  readonly strategy: TaskStrategy;
  /** A snapshot of what the agent left. */
  readonly commit: string;
  readonly isDoneBefore: boolean;
  readonly reply: TaskOutput;
  readonly patch: JsonObject;
}

/** What the agent left counts if no test fails that passed before and the check of the task holds. */
async function verifyAndCommit(scene: Scene, changed: Changed): Promise<Report> {
  const { baseline, strategy, commit, isDoneBefore, reply, patch } = changed;
  const { parts, activity, worktree, task } = scene;
  const wish = { task, commit, wrongCheck: reply.wrongCheck ?? null, isDoneBefore };
  // Verifying puts the worktree back after a block: nobody reads it meanwhile.
  const isEarly = strategy.canCheckEarly(task) && !isAfterBlock(activity);
  const [{ result, comparison, flaky, isWhole }, early] = await sideBySide(
    verifyStep(parts, activity, worktree, {
      from: goodOf(activity)?.commit ?? startOf(activity, worktree).commit,
      commit,
      baseline,
      names: namesSettledBy(activity, task),
      isEnough: hasStepAfter(activity, task),
    }),
    isEarly ? strategy.check(withPatchedContext(activity, patch), worktree, wish) : Promise.resolve(null),
  );
  const left = { ...patch, isCutShort: false, verification: asJson(result), flakyTests: [...flaky] };
  // The verification is of no commit yet: if the task is put off, the last good commit is verified again.
  const unfit = { ...unblocked, ...left, ...shown(worktree, commit), verifiedAt: null, pending: asJson(reply) };
  const problem = { task, folder: worktree.folder, facts: verdictOf(result) };
  if (!comparison.isNoWorse) {
    if (isAside(activity, task)) {
      return dropAside(
        scene,
        `Its fix was taken back, because tests fail with it: ${comparison.newFailures.slice(0, 3).join('; ')}`,
      );
    }
    return foundProblem(activity, comparison, { ...problem, patch: unfit });
  }
  const checked = early ?? (await strategy.check(withPatchedContext(activity, left), worktree, wish));
  if (checked.kind === 'stopped') return stopOrDrop(scene, checked.outcome, { ...left, ...checked.patch });
  if (checked.kind === 'failed') {
    if (isAside(activity, task)) {
      return dropAside(scene, `Its fix was taken back. ${checked.comparison.newFailures.join('; ')}`);
    }
    return foundProblem(activity, checked.comparison, { ...problem, patch: { ...unfit, ...checked.patch } });
  }
  const done = { task, commit, said: reply, strategy, isWhole };
  return finish(parts, activity, worktree, { ...done, known: { ...left, ...checked.patch } });
}

/** Failures in scope that the task has to settle. */
function namesSettledBy(activity: ActivityContext, { id }: ProjectTask): readonly string[] {
  const plan = contextOf(activity).requestPlan;
  return plan ? failuresSettledBy(plan, id) : [];
}

/** Whether the whole suite runs later anyway. An aside must not be blamed for what a step before it broke. */
const hasStepAfter = (activity: ActivityContext, task: ProjectTask): boolean =>
  !isAside(activity, task) &&
  tasksOf(activity).some((one) => {
    const isWaiting = one.kind !== 'review' && one.status === 'pending' && one.id !== task.id;
    return isWaiting && !isAside(activity, one);
  });

/** An agent could not go on: an aside is dropped unless waiting helps, anything else stops the project. */
async function stopOrDrop(scene: Scene, outcome: Unfinished, patch: JsonObject): Promise<Report> {
  const { activity, worktree, task } = scene;
  if (!isAside(activity, task) || outcome.kind === 'waits') return stoppedBy(activity, outcome, patch, worktree);
  const { reason, concernsAll } = whyDropped(outcome);
  return dropAside(scene, reason, { withOthers: concernsAll });
}

/** Takes the change of an aside back, and leaves its finding to people; with others: also those that wait. */
async function dropAside(
  { parts, activity, worktree, task, known }: Scene,
  reason: string,
  { withOthers }: { readonly withOthers: boolean } = { withOthers: false },
): Promise<Report> {
  const scene = withPatchedContext(activity, known);
  const dropped = await deferTask(parts, scene, { worktree, task, reason, cause: 'aside' });
  const others = withOthers ? deferAsides({ ...scene.context, ...dropped }, reason) : {};
  const patch = { ...unblocked, ...known, ...dropped, ...others };
  return report('task:finished', patch, { task: task.id, outcome: 'deferred', reason });
}

/** Nothing was changed for these asides, so what was verified before them still holds. */
function leaveAsides({ activity, task, known }: Scene, reason: string): Report {
  const patch = { ...unblocked, ...known, ...deferAsides(activity.context, reason) };
  return report('task:finished', patch, { task: task.id, outcome: 'deferred', reason });
}

/** The files stay as they are until a person has answered. */
const ask = ({ event, patch, data }: NonNullable<AgentReply['asks']>, left: JsonObject): Report =>
  report(event, { ...unblocked, ...left, isCutShort: true, ...patch }, data);

interface Done {
  readonly task: ProjectTask;
  readonly commit: string;
  readonly said: TaskOutput;
  readonly known: JsonObject;
  readonly strategy: TaskStrategy;
  /** Whether all verify commands ran on it. */
  readonly isWhole: boolean;
}

async function finish(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { task, commit, said, known, strategy, isWhole }: Done,
): Promise<Report> {
  const { patch, outcome } = await commitTask(parts, withPatchedContext(activity, known), {
    worktree,
    task,
    commit,
    said,
    isWhole,
    isSimulated: contextOf(activity).simulated === true || known['simulated'] === true,
  });
  const context = { ...activity.context, ...known, ...patch };
  const made = tasksOf({ context }).find(({ id }) => id === task.id)?.commit ?? null;
  const kept = strategy.kept(context, task, made);
  return report('task:finished', { ...unblocked, ...known, ...patch, ...kept }, { task: task.id, outcome });
}

const startOf = (activity: ActivityContext, worktree: Worktree): { commit: string; checkpoint: number } => ({
  commit: commitOf(activity) ?? worktree.baseCommit,
  checkpoint: activity.checkpoint.seq,
});
