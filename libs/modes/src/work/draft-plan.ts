import type { AgentOutcome } from '#agents';
import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import type { Tier } from '#models';
import type { Worktree } from '#workspace';
import { codingOrderOf, LIMITS } from '../coding/coding-context.js';
import { runAgent, simulatedBy, type Unfinished } from '../coding/run-agent.js';
import { nextTier } from '../shared/next-try.js';
import { repeatable } from '../shared/repeatable.js';
import { hasModel } from '../shared/run-persistently.js';
import type { WorkModeParts } from './work-context.js';
import { type WorkPlanInput, WorkPlanOutput, workPlanPrompt } from './plan.prompt.js';

export const PLANNER = 'planner';

interface Start {
  readonly worktree: Worktree;
  readonly startCommit: string;
}

type Findings = WorkPlanOutput['findings'];

/** `findings` are those of all planners, also of one whose plan has no step. */
export type Draft =
  | {
      readonly kind: 'drafted';
      readonly said: WorkPlanOutput;
      readonly text: string;
      readonly findings: Findings;
      readonly patch: JsonObject;
    }
  | {
      readonly kind: 'stopped';
      readonly outcome: Unfinished;
      readonly findings: Findings;
      readonly patch: JsonObject;
    };

/** Has a plan made. If it has no step, the next tier is asked once before a person is. */
export async function draftPlan(
  parts: WorkModeParts,
  activity: ActivityContext,
  start: Start,
  input: WorkPlanInput,
): Promise<Draft> {
  const first = await askPlanner(parts, activity, start, { input, tier: codingOrderOf(activity).tier, nth: 1 });
  if (first.kind === 'stopped' || first.said.steps.some(({ title }) => title.trim() !== '')) return first;
  const tier = await repeatable(activity, 'tier-of-next-planner', async () => tierOfNext(parts, activity));
  const second = await askPlanner(parts, activity, start, { input, tier, nth: 2 });
  return {
    ...second,
    findings: [...first.findings, ...second.findings],
    patch: { ...first.patch, ...second.patch },
  };
}

/** The same tier if there is no larger one: a fresh conversation may still find a step. */
function tierOfNext(parts: WorkModeParts, activity: ActivityContext): Tier {
  const { tier, models } = codingOrderOf(activity);
  const next = nextTier(tier);
  return next !== null && hasModel(parts, models ? { models } : {}, next) ? next : tier;
}

interface Asking {
  readonly input: WorkPlanInput;
  readonly tier: Tier;
  readonly nth: number;
}

async function askPlanner(
  parts: WorkModeParts,
  activity: ActivityContext,
  start: Start,
  { input, tier, nth }: Asking,
): Promise<Draft> {
  const outcome: AgentOutcome = await runAgent(parts, activity, start, {
    step: nth === 1 ? PLANNER : `${PLANNER}-${String(nth)}`,
    role: PLANNER,
    purpose: 'plan-work',
    attempt: nth,
    tier,
    prompt: workPlanPrompt,
    input,
    access: 'read',
    output: { name: 'workplan', type: WorkPlanOutput },
    limits: LIMITS.plan,
  });
  const patch = simulatedBy(outcome);
  if (outcome.kind !== 'finished') return { kind: 'stopped', outcome, findings: [], patch };
  const said = WorkPlanOutput.parse(outcome.output);
  return { kind: 'drafted', said, text: outcome.text, findings: said.findings, patch };
}
