import { type ActivityContext, type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import type { Worktree } from '#workspace';
import { repeatable } from '../shared/repeatable.js';
import { commitOf } from '../shared/work-parts.js';
import { ScenarioPlan, scenarioPrompt } from './accept.prompt.js';
import {
  codingOrderOf,
  type CodingParts,
  deferredOf,
  findingsOf,
  LIMITS,
  listed,
  unblocked,
  UNCHANGED,
} from './coding-context.js';
import { settledNotes } from './notes.js';
import { stoppedWithoutTrace } from './put-back.js';
import { isOutage, runAgent, simulatedBy, type Unfinished } from './run-agent.js';
import { requestItself, type Scenario, untried } from './scenario.js';

export const PLANNER = 'acceptance-planner';
const MOST_SCENARIOS = 8;
const LONGEST_COMMAND = 2_000;
const MOST_FILES = 2_000;

/** By people. What an implementer left as it was, and its words for that, are no reason not to try it. */
const putOff = (activity: ActivityContext): readonly string[] =>
  deferredOf(activity).flatMap(({ title, cause }) => (cause === UNCHANGED ? [] : [title]));

/** What a planner gave, as the context keeps it; or why the planner could not go on. */
export type PlannedScenarios =
  | { readonly kind: 'planned'; readonly scenarios: readonly Scenario[]; readonly patch: JsonObject }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished };

/** The first visit of UAT: an agent that did not write the code says how it is to be tried. */
export async function plannedScenarios(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<Report> {
  const planned = await planScenarios(parts, activity, worktree);
  if (planned.kind === 'stopped') {
    const startCommit = commitOf(activity) ?? worktree.baseCommit;
    return stoppedWithoutTrace(parts, activity, worktree, planned.outcome, { startCommit });
  }
  const { scenarios, patch } = planned;
  return report('uat:continues', { ...unblocked, ...patch }, { scenarios: scenarios.length });
}

/** Plans scenarios for the commit of the context. The planner only reads. */
export async function planScenarios(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
): Promise<PlannedScenarios> {
  const { project } = activity;
  const findings = findingsOf(activity).filter(({ outcome }) => outcome.kind === 'fixed');
  const files = await repeatable(activity, 'files', () => parts.worktrees.files(worktree, MOST_FILES));
  const startCommit = commitOf(activity) ?? worktree.baseCommit;
  const outcome = await runAgent(parts, activity, { worktree, startCommit }, {
    step: PLANNER,
    role: PLANNER,
    purpose: 'plan-acceptance',
    attempt: 1,
    tier: codingOrderOf(activity).tier,
    prompt: scenarioPrompt,
    input: {
      request: project.request,
      settled: settledNotes(activity),
      findings: findings.map(({ priority, title, file }) => `${priority} ${title}${file === null ? '' : ` (${file})`}`),
      deferred: putOff(activity),
      files,
    },
    access: 'read',
    output: { name: 'scenarios', type: ScenarioPlan },
    limits: LIMITS.plan,
  }); // prettier-ignore
  if (outcome.kind !== 'finished' && (outcome.kind !== 'failed' || isOutage(outcome))) {
    return { kind: 'stopped', outcome };
  }
  // Without a plan the request itself is tried. That a planner failed says nothing about the work.
  const planned = outcome.kind === 'finished' ? ScenarioPlan.parse(outcome.output).scenarios : [];
  const scenarios = planned.slice(0, MOST_SCENARIOS).map(({ title, steps, command }, nth): Scenario => ({
    id: `S-${String(nth + 1).padStart(3, '0')}`,
    title: title.slice(0, 200),
    steps: steps.slice(0, 4_000),
    // The beginning of a command would be another one.
    command: command === null || command.trim() === '' || command.length > LONGEST_COMMAND ? null : command,
    ...untried,
  }));
  const whole = scenarios.length > 0 ? scenarios : [requestItself(project.request)];
  return { kind: 'planned', scenarios: whole, patch: { scenarios: listed(whole), ...simulatedBy(outcome) } };
}
