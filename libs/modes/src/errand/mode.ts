import { type JsonObject, UserError } from '#kernel';
import { TIERS } from '#models';
import { checkCopyPaths } from '#workspace';
import { type PageParts, withPages, writePagesAtRest } from '../coding/readable/write-pages.js';
import type { Mode } from '../mode.js';
import { refuseUnfitRequest } from '../shared/refuse-unfit-request.js';
import { orderOf, type WorkParts } from '../shared/work-parts.js';
import { errandGuards, errandMachine } from './machine.js';
import { beginErrand, ERRAND_OPTIONS } from './order.js';
import { prepare } from './prepare.activity.js';
import { ROLE } from './prompt.js';
import { record, tidy } from './record.activity.js';
import { setUp } from './set-up.activity.js';
import type { CodingParts } from '../coding/coding-context.js';
import { INSPECTOR } from '../coding/proof/inspect.js';
import { ARBITER } from '../coding/proof/rule-on-check.js';
import { MUTANT_MAKER } from '../coding/proof/mutant.js';
import { CHECK_AUTHOR } from '../coding/scoping/author-checks.js';
import { PLANNER, scope } from '../coding/scoping/scope.activity.js';
import { measure, verify } from './verify.activity.js';
import { work } from './work.activity.js';

/** What STATE.md has for a plan. */
const STEPS = ['PREPARING', 'SETTING_UP', 'MEASURING', 'SCOPING', 'WORKING', 'VERIFYING', 'RECORDING'] as const;

export const errandMode = (parts: CodingParts): Mode => {
  const pages: PageParts = { ...parts, steps: STEPS };
  return {
    name: 'errand',
    machine: errandMachine,
    guards: errandGuards,
    activities: {
      prepare: withPages(pages, prepare(parts)),
      'set-up': withPages(pages, setUp(parts)),
      measure: withPages(pages, measure(parts)),
      scope: withPages(pages, scope(parts, { isPlannerCheckAuthor: true })),
      work: withPages(pages, work(parts)),
      verify: withPages(pages, verify(parts)),
      record: withPages(pages, record(parts)),
      tidy: tidy(parts, pages),
    },
    show: writePagesAtRest(pages),
    childMachines: [],
    needsRepo: true,
    options: ERRAND_OPTIONS,
    optionalGates: [],
    roles: [ROLE, PLANNER, CHECK_AUTHOR, INSPECTOR, ARBITER, MUTANT_MAKER],
    begin: beginErrand,
    admit: ({ request, parameters, options }) => admitErrand(parts, beginErrand(parameters, {}, options), request),
  };
};

/** What can be known before the errand begins: its runtime is there, its models are provided, its sandbox is allowed. */
async function admitErrand(
  { runtimes, workshop, desk }: WorkParts,
  context: JsonObject,
  request: string,
): Promise<void> {
  const { runtime: name, models, ...order } = orderOf({ context });
  const runtime = runtimes.get(name);
  if (!runtime) {
    const known = [...runtimes.keys()];
    throw new UserError('RUNTIME_UNKNOWN', `there is no runtime ${name}; there are ${known.join(', ')}`, { known });
  }
  // The planner, the author of checks and the heal ladder need all of them.
  for (const tier of TIERS) desk.candidates(tier, models);
  const whyNot = await runtime.unavailable(models);
  if (whyNot !== null) throw new UserError('RUNTIME_UNAVAILABLE', whyNot, { runtime: name });
  workshop.sandbox(order);
  checkCopyPaths(order.copy ?? []);
  refuseUnfitRequest(desk, { request, tiers: TIERS, models });
}
