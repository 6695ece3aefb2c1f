import type { ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Comparison } from '#self-heal';
import type { VerifyReport, Worktree } from '#workspace';
import { withPatchedContext } from '../shared/patched-context.js';
import { tamperingBetween } from '../shared/verification.js';
import { baselineOf } from '../shared/work-parts.js';
import { type CodingParts, currentOf, tasksOf } from './coding-context.js';
import { contextOf } from './context.js';
import { checkedAs } from './heal-check.js';
import { hasChecks } from './proof/check-task.js';
import { lookAtStep } from './proof/look-at-step.js';
import { ruleOnTests } from './proof/rule-on-tests.js';
import type { Unfinished } from './run-agent.js';
import type { TaskStrategies } from './task-strategy.js';
import { whyNoFix } from './why-no-fix.js';

interface Attempt {
  readonly result: VerifyReport;
  readonly comparison: Comparison;
  readonly startCommit: string;
  readonly commit: string;
  readonly isUndone: boolean;
  readonly strategies: TaskStrategies;
  readonly wrongCheck: string | null;
  /** The verification that showed the problem. */
  readonly found: VerifyReport | null;
}

export type JudgedAttempt =
  /** `why` is null if the attempt counts as a fix. */
  | {
      readonly kind: 'judged';
      readonly why: string | null;
      readonly comparison: Comparison;
      readonly patch: JsonObject;
    }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

/**
 * Whether the task may be done though its change was taken back. The files of a result that lacks a proof are never
 * taken back. A step that has checks may be done by the commit of an earlier task: its checks decide.
 */
function mayBeDone(activity: ActivityContext, task: ProjectTask | null): boolean {
  if (task?.kind !== 'request' && task?.kind !== 'step') return task?.kind === 'proof';
  return tasksOf(activity).some(({ commit }) => commit !== null) && hasChecks(activity, task);
}

/** Whether an agent has taken a failure out of the scope, at this attempt or before, that the task was to settle. */
function isOutOfScope(activity: ActivityContext, patch: JsonObject, task: ProjectTask | null): boolean {
  const { outOfScope = [] } = contextOf(withPatchedContext(activity, patch)).requestPlan ?? {};
  return outOfScope.some(({ name }) => task?.title.includes(name) || task?.detail.includes(name));
}

/** An attempt counts if nothing got worse, no test was taken away, and the task it belongs to is still done. */
export async function judgeAttempt(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { result, comparison, startCommit, commit, isUndone, strategies, wrongCheck, found }: Attempt,
): Promise<JudgedAttempt> {
  const task = currentOf(activity);
  // A proof may lack that a new test is run: such a test may go again. The tests of the base have to stay.
  const from = task?.kind === 'proof' ? worktree.baseCommit : startCommit;
  const tampering = await tamperingBetween(parts, activity, worktree, { from, to: commit });
  const ruled = await ruleOnTests(parts, activity, worktree, { tampering, commit });
  if (ruled.kind === 'stopped') return ruled;
  const noFix = whyNoFix({
    comparison,
    result,
    tampering: ruled.tampering,
    baseline: baselineOf(activity),
    found,
    hasChanged: commit !== startCommit,
    isRolledBack: contextOf(activity).isRolledBack === true && !mayBeDone(activity, task),
    isUndone,
  });
  if (noFix !== null) return { kind: 'judged', why: noFix, comparison, patch: ruled.patch };
  const checked = await checkedAs(strategies, activity, worktree, {
    commit,
    wrongCheck,
    isUnchanged: commit === startCommit,
  });
  if (checked?.kind === 'stopped') return { ...checked, patch: { ...ruled.patch, ...checked.patch } };
  const patch = { ...ruled.patch, ...checked?.patch };
  // What is missing for a proof is not there because nothing was done about it. A check may have been replaced, or a
  // third agent may have ruled.
  const isRuled = 'checks' in patch || 'inspectionRulings' in patch || isOutOfScope(activity, patch, task);
  if (task?.kind === 'proof' && commit === startCommit && !isRuled) {
    return { kind: 'judged', why: 'nothing was changed', comparison, patch };
  }
  if (checked?.kind === 'failed') {
    const why = `still failing: ${checked.comparison.newFailures.join('; ')}`;
    return { kind: 'judged', why, comparison: checked.comparison, patch };
  }
  const look = task ? await lookAtStep(parts, activity, worktree, { task, commit, claim: wrongCheck }) : null;
  if (look?.kind === 'stopped') return { ...look, patch: { ...patch, ...look.patch } };
  if (look?.kind === 'failed') {
    return {
      kind: 'judged',
      why: look.comparison.newFailures.join('; '),
      comparison: look.comparison,
      patch: { ...patch, ...look.patch },
    };
  }
  return { kind: 'judged', why: null, comparison, patch: { ...patch, ...look?.patch } };
}
