import { type Activity, type ActivityContext, type Report, report } from '#engine';
import type { Worktree } from '#workspace';
import { blockedBySetup } from '../ask-person.js';
import { enterSetUp } from '../../shared/enter.js';
import { failingTests, failuresWithOutput } from '../../shared/failing-tests.js';
import { withPatchedContext } from '../../shared/patched-context.js';
import { sideBySide } from '../../shared/side-by-side.js';
import { baselineOf, commitOf } from '../../shared/work-parts.js';
import {
  codingOrderOf,
  type CodingParts,
  findingsOf,
  LIMITS,
  reviewsOf,
  tasksOf,
  teamOf,
  unblocked,
} from '../coding-context.js';
import { contextOf, type ContextPatch, patchOf } from '../context.js';
import { settledNotes } from '../notes.js';
import { describeBaseline } from '../prepare-review.js';
import { planPages } from '../readable/task-plan.js';
import { write } from '../readable/write-pages.js';
import { stoppedWithoutTrace } from '../put-back.js';
import { runAgent, simulatedBy, stoppedBy } from '../run-agent.js';
import { whyBeforeWork } from '../why-asked.js';
import { approvedStepsOf, hasSteps, hasStepsOnly } from './approved-steps.js';
import { authorChecks, authorChecksOnBase, partsWithoutCheck } from './author-checks.js';
import { buildPlan } from './build-plan.js';
import { findFlakyTests } from './find-flaky-tests.js';
import { withDerivedKinds } from './kinds-of-parts.js';
import { PlannerOutput, plannerPrompt } from './plan.prompt.js';
import { PlanWithChecksOutput, planWithChecksPrompt } from './plan-with-checks.prompt.js';
import type { Check, RequestPlan } from './request-plan.js';
import { hidingChecks, numberChecks, takeChecks } from './take-checks.js';

export const PLANNER = 'work-planner';

interface ScopeOptions {
  /** Whether the planner also writes the checks. It saves a small request a second conversation. */
  readonly isPlannerCheckAuthor?: boolean;
}

/**
 * SCOPING: fixes what is to be done before the first change. The first visit plans, the second has checks written for
 * the parts that still have none. Both only report; no file of the worktree stays changed.
 */
export const scope =
  (parts: CodingParts, { isPlannerCheckAuthor = false }: ScopeOptions = {}): Activity =>
  async (activity) => {
    const { worktree, failed } = await enterSetUp(parts, activity);
    if (failed) return blockedBySetup(activity, failed);
    const { requestPlan } = contextOf(activity);
    if (!requestPlan) return plan(parts, activity, worktree, isPlannerCheckAuthor);
    const startCommit = commitOf(activity) ?? worktree.baseCommit;
    // Steps that are done already must not be seen by the author.
    const authored = hasSteps(activity)
      ? await authorChecksOnBase(parts, activity, worktree, { plan: requestPlan, commit: startCommit })
      : await authorChecks(parts, activity, worktree, requestPlan);
    if (authored.kind === 'done') return finish(activity, authored.patch);
    return stoppedWithoutTrace(parts, activity, worktree, authored.outcome, { startCommit });
  };

async function plan(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  writesChecks: boolean,
): Promise<Report> {
  const startCommit = commitOf(activity) ?? worktree.baseCommit;
  const [outcome, flaky] = await sideBySide(
    askPlanner(
      parts,
      activity,
      { worktree: writesChecks ? hidingChecks(worktree) : worktree, startCommit },
      writesChecks,
    ),
    findFlakyTests(parts, activity, worktree),
  );
  // Without an answer the request is one step. Only a budget or a rate limit stops the project here.
  if (outcome.kind === 'waits' || outcome.kind === 'over-budget') {
    if (!writesChecks) return stoppedBy(activity, outcome, {}, null);
    return stoppedWithoutTrace(parts, activity, worktree, outcome, { startCommit });
  }
  const planned =
    outcome.kind === 'finished' ? readPlan(outcome.output) : { failed: `The planner gave no plan: ${outcome.message}` };
  const { goal = null, asides = 'P1', variant } = codingOrderOf(activity);
  const baseline = baselineOf(activity);
  const findings = hasStepsOnly(activity) ? [] : findingsOf(activity);
  const built = buildPlan({
    request: activity.project.request,
    planned,
    findings,
    failures: baseline ? failuresWithOutput(baseline) : [],
    approvedSteps: approvedStepsOf(activity),
    asides,
    goal,
    tasks: tasksOf(activity),
    flaky,
  });
  const needed = partsWithoutCheck(built.plan, [], flaky);
  // Checks name parts of the planner's own plan.
  const written = { outcome, needed: 'failed' in planned ? [] : needed, step: PLANNER, startCommit };
  const { taken, untold } = writesChecks ? await takeChecks(parts, activity, worktree, written) : NO_CHECKS;
  const checks = numberChecks(taken, 0);
  const requestPlan = withDerivedKinds(built.plan, untold);
  const known: ContextPatch = {
    requestPlan,
    // Checks of an earlier plan are about its parts.
    checks: [...checks],
    lateChecks: [],
    tasks: [...built.tasks],
    ...(findings.length > 0 && { findings: [...built.findings] }),
    flakyTests: [...flaky],
    ...simulatedBy(outcome),
  };
  const scene = withPatchedContext(activity, patchOf(known));
  // A plan that a person approved stands as it is, and an errand has no pages of a team.
  if (contextOf(activity).plan === undefined && teamOf(activity) !== null) {
    const pages = planPages(scene, built.tasks, contextOf(scene).simulated === true);
    await write(parts, activity, 'plan-pages', () => Promise.resolve(pages));
  }
  const facts = describePlan(requestPlan);
  const isPlanOnly = variant === 'planning';
  if (!isPlanOnly && partsWithoutCheck(requestPlan, checks, flaky).length > 0) {
    return report('plan:drafted', patchOf({ ...unblocked, ...known }), facts);
  }
  return finish(scene, known, facts);
}

const NO_CHECKS = { taken: [], untold: [] } as const;

/** What the event tells about a plan. */
const describePlan = ({ class: kind, parts, steps, scope: inScope, fallback }: RequestPlan) => ({
  class: kind,
  parts: parts.length,
  steps: steps.length,
  inScope: inScope.length,
  ...(fallback !== null && { fallback: fallback.slice(0, 500) }),
});

const readPlan = (output: unknown): PlannerOutput | { readonly failed: string } => {
  const read = PlannerOutput.safeParse(output);
  return read.success ? read.data : { failed: 'The answer of the planner did not fit its schema.' };
};

const askPlanner = (
  parts: CodingParts,
  activity: ActivityContext,
  start: { readonly worktree: Worktree; readonly startCommit: string },
  writesChecks: boolean,
) => {
  const baseline = baselineOf(activity);
  return runAgent(parts, activity, start, {
    step: PLANNER,
    role: PLANNER,
    purpose: 'scope',
    attempt: 1,
    tier: 'medium',
    prompt: writesChecks ? planWithChecksPrompt : plannerPrompt,
    input: {
      request: activity.project.request,
      settled: settledNotes(activity),
      approvedSteps: approvedStepsOf(activity).map(
        ({ title, check }, index) => `${String(index + 1)}. ${title} (${check})`,
      ),
      baseline: describeBaseline(activity) || 'They were not run.',
      failures: baseline ? failingTests(baseline).map(({ name }) => name) : [],
      findings: findingsOf(activity),
      advice: reviewsOf(activity).flatMap(({ agent, summary }) => (summary === '' ? [] : [`${agent}: ${summary}`])),
      map: contextOf(activity).repositoryMap ?? '',
    },
    access: writesChecks ? 'write' : 'read',
    output: { name: 'plan', type: writesChecks ? PlanWithChecksOutput : PlannerOutput },
    limits: writesChecks ? LIMITS.test : LIMITS.plan,
  });
};

function finish(
  activity: ActivityContext,
  known: ContextPatch,
  facts: Readonly<Record<string, string | number>> = {},
): Report {
  const scene = withPatchedContext(activity, patchOf(known));
  const isPlanOnly = codingOrderOf(activity).variant === 'planning';
  const why = whyBeforeWork(scene.context, isPlanOnly, {
    request: activity.project.request,
    findings: findingsOf(scene),
    tasks: tasksOf(scene),
  });
  const patch = patchOf({ ...unblocked, ...known, why });
  const checks = contextOf(scene).checks ?? [];
  const redBy = (kind: Check['red']['kind']): number => checks.filter(({ red }) => red.kind === kind).length;
  const written = { checks: checks.length, redByAssertion: redBy('assertion'), redByAbsence: redBy('absent') };
  return report('plan:ready', patch, { ...facts, ...written });
}
