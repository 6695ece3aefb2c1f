import type { Activity } from '#engine';
import { composeTeam, detectDomains } from '#discovery';
import { type JsonObject, UserError } from '#kernel';
import { TIERS } from '#models';
import { checkCopyPaths } from '#workspace';
import type { Mode, Order } from '../mode.js';
import { admitAtOfferedGates, gatesOn, OFFERED_GATES } from '../shared/optional-gates.js';
import { refuseUnfitRequest } from '../shared/refuse-unfit-request.js';
import { accept } from './accept.activity.js';
import { codingOrderOf, type CodingParts } from './coding-context.js';
import { createProject } from './create-project.activity.js';
import { deferItem } from './defer-item.activity.js';
import { discover, type TeamSize } from './discover.activity.js';
import { execute } from './execute.activity.js';
import { finalise } from './finalise.activity.js';
import { codingGuards } from './guards.js';
import { heal } from './heal.activity.js';
import { HEALER } from './heal-attempt.js';
import { codingMachine } from './machine.js';
import { IMPLEMENTER } from './task-strategy.js';
import { beginCoding, CODING_OPTIONS, mustHaveGates } from './order.js';
import { PLANNER as SCENARIO_PLANNER } from './plan-scenarios.js';
import { afterPages, withPages, writePagesAtRest } from './readable/write-pages.js';
import { review } from './review.activity.js';
import { reviewGuards, reviewMachine } from './reviewer/machine.js';
import { reviewCode } from './reviewer/review-code.activity.js';
import { CHECK_AUTHOR } from './scoping/author-checks.js';
import { PLANNER, scope } from './scoping/scope.activity.js';
import { FIX_REVIEWER } from './proof/look-at-fix.js';
import { INSPECTOR } from './proof/inspect.js';
import { MUTANT_MAKER } from './proof/mutant.js';
import { ARBITER } from './proof/rule-on-check.js';
import { shutDownTeam } from './shut-down-team.activity.js';
import { TESTER } from './try-scenario.js';

const SIZE: TeamSize = { min: 3, max: 7 };

export const codingMode = (parts: CodingParts): Mode => ({
  name: 'coding',
  machine: codingMachine,
  guards: codingGuards,
  activities: {
    'create-project': createProject(parts),
    discover: withPages(parts, discover(parts, SIZE)),
    finalise: finalise(parts, null),
    ...teamActivities(parts, null),
  },
  show: writePagesAtRest(parts),
  childMachines: [{ machine: reviewMachine, guards: reviewGuards, activities: { 'review-code': reviewCode(parts) } }],
  needsRepo: true,
  options: CODING_OPTIONS,
  optionalGates: [],
  offeredGates: OFFERED_GATES,
  hasTasks: true,
  roles: TEAM_ROLES,
  begin: (parameters, gates, options) => {
    mustHaveGates(options, gates);
    return { ...beginCoding(parameters, options, false), ...gatesOn(gates) };
  },
  admit: (order) => admitCoding(parts, beginCoding(order.parameters, order.options, false), order, SIZE),
  admitDecision: admitAtOfferedGates,
});

/** Who works in coding and classic mode alike, beside the reviewers that are seated. */
export const TEAM_ROLES: readonly string[] = [
  IMPLEMENTER,
  HEALER,
  PLANNER,
  CHECK_AUTHOR,
  FIX_REVIEWER,
  INSPECTOR,
  ARBITER,
  MUTANT_MAKER,
  SCENARIO_PLANNER,
  TESTER,
];

/** What coding and classic mode do alike, from REVIEWING on. */
export const teamActivities = (
  parts: CodingParts,
  afterReviews: string | null,
): Readonly<Record<string, Activity>> => ({
  // Its pages are written where it rests for its reviewers: they do not wait for them.
  review: review(parts, afterReviews),
  scope: withPages(parts, scope(parts)),
  execute: withPages(parts, execute(parts)),
  heal: withPages(parts, heal(parts)),
  'defer-item': afterPages(parts, deferItem(parts)),
  accept: withPages(parts, accept(parts)),
  'shut-down-team': shutDownTeam(parts),
});

/** What can be known before it begins: its runtime, models and sandbox are there, and its team can be seated. */
export async function admitCoding(
  parts: CodingParts,
  context: JsonObject,
  { request, repo }: Pick<Order, 'request' | 'repo'>,
  size: TeamSize,
): Promise<void> {
  const { runtimes, workshop, desk } = parts;
  const order = codingOrderOf({ context });
  const { runtime: name, models, agents } = order;
  const runtime = runtimes.get(name);
  if (!runtime) {
    const known = [...runtimes.keys()];
    throw new UserError('RUNTIME_UNKNOWN', `there is no runtime ${name}; there are ${known.join(', ')}`, { known });
  }
  for (const tier of TIERS) desk.candidates(tier, models);
  const whyNot = await runtime.unavailable(models);
  if (whyNot !== null) throw new UserError('RUNTIME_UNAVAILABLE', whyNot, { runtime: name });
  workshop.sandbox(order);
  checkCopyPaths(order.copy ?? []);
  refuseUnfitRequest(desk, { request, tiers: TIERS, models });
  const isAsked = agents.pin.length + agents.forbid.length > 0 || agents.count !== undefined;
  if (!isAsked || repo === null) return;
  const discovered = await parts.capabilities(repo);
  composeTeam({ request, discovered, domains: detectDomains(request, []), rules: { ...size, ...agents } });
}
