import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { ruleOnDispute } from '../coding/proof/rule-on-check.js';
import type { Unfinished } from '../coding/run-agent.js';
import { asJson } from '../shared/work-parts.js';
import { type WorkModeParts, workPlanOf, type WorkStep } from './work-context.js';

interface Dispute {
  readonly step: WorkStep;
  readonly commit: string;
  /** What the check printed, or what was seen. */
  readonly output: string;
  /** Why the agent says that the check is wrong; null if it does not. */
  readonly claim: string | null;
}

export type RuledStep =
  /** `successor` is the step with another check; null if its check stands. */
  | { readonly kind: 'ruled'; readonly successor: WorkStep | null; readonly patch: JsonObject }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

/** What decides if the planner's own words do not. */
export const PLAIN_CHECK = 'What the step and the request ask for is there, complete and correct.';

/**
 * A planner may state a check that cannot hold. If whoever works says so, a third agent rules. Then a wrong command is left
 * out and wrong words are replaced, once for each step, and an agent that did not write the step judges it.
 */
export async function ruleOnStep(
  parts: WorkModeParts,
  activity: ActivityContext,
  worktree: Worktree,
  { step, commit, output, claim }: Dispute,
): Promise<RuledStep> {
  if (claim === null || step.wrongCheck) return { kind: 'ruled', successor: null, patch: {} };
  const { task, title, check, command } = step;
  const text = [title, check, ...(command === null ? [] : [`$ ${command}`])].join('\n');
  const dispute = { title: task, interface: '', text, run: { output }, commit, claim };
  const ruling = await ruleOnDispute(parts, activity, worktree, dispute);
  if ('stopped' in ruling) return { kind: 'stopped', outcome: ruling.stopped, patch: {} };
  if (!ruling.isWrong) return { kind: 'ruled', successor: null, patch: ruling.patch };
  const wrongCheck = { check: command ?? check, why: ruling.why.slice(0, 500) };
  const successor =
    command === null ? { ...step, check: PLAIN_CHECK, wrongCheck } : { ...step, command: null, wrongCheck };
  return { kind: 'ruled', successor, patch: { ...ruling.patch, ...withStep(activity, successor) } };
}

/** The plan with the step as it is now; nothing for a step that is none of the plan. */
function withStep(activity: ActivityContext, successor: WorkStep): JsonObject {
  const plan = workPlanOf(activity);
  if (!plan) return {};
  const steps = plan.steps.map((one) => (one.task === successor.task ? successor : one));
  return { plan: asJson({ ...plan, steps }) };
}
