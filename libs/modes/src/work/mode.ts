import { createProject } from '../coding/create-project.activity.js';
import { deferItem } from '../coding/defer-item.activity.js';
import { execute } from '../coding/execute.activity.js';
import { finalise } from '../coding/finalise.activity.js';
import { heal } from '../coding/heal.activity.js';
import { admitCoding, TEAM_ROLES, teamActivities } from '../coding/mode.js';
import { beginCoding, CLASSIC_OPTIONS } from '../coding/order.js';
import { afterPages, withPages, writePagesAtRest } from '../coding/readable/write-pages.js';
import type { Mode } from '../mode.js';
import { gatesOn, OFFERED_GATES } from '../shared/optional-gates.js';
import { admitAtWorkGates } from './admit-decision.js';
import { adopted } from './adopt-plan.js';
import { consentingToDoubt, sayingWhatIsOutgrown } from './consent.js';
import { discoverWork, WORK_TEAM } from './discover.activity.js';
import { escalate } from './escalate.activity.js';
import { workMachine } from './machine.js';
import { workGuards } from './outgrown.js';
import { CHECKER } from './judge-step.js';
import { PLANNER } from './draft-plan.js';
import { planWork } from './plan.activity.js';
import { scopeWork } from './scope-work.activity.js';
import { proveWork } from './prove-work.js';
import { workStrategies } from './step-strategy.js';
import type { WorkModeParts } from './work-context.js';

/**
 * A small team and a plan that a person approves, scoped and proven as in coding mode. What outgrows it continues as coding
 * mode does, from the reviews on.
 */
export const workMode = (parts: WorkModeParts): Mode => {
  const strategies = workStrategies(parts);
  const how = { strategies, begin: adopted(parts), prove: proveWork(parts) };
  return {
    name: 'work',
    machine: workMachine,
    guards: workGuards,
    activities: {
      'create-project': createProject(parts),
      discover: withPages(parts, discoverWork(parts)),
      plan: withPages(parts, sayingWhatIsOutgrown(planWork(parts))),
      escalate: withPages(parts, escalate(parts)),
      finalise: finalise(parts, null),
      ...teamActivities(parts, null),
      scope: withPages(parts, sayingWhatIsOutgrown(scopeWork(parts))),
      execute: withPages(parts, sayingWhatIsOutgrown(execute(parts, how))),
      heal: withPages(parts, sayingWhatIsOutgrown(heal(parts, strategies))),
      'defer-item': afterPages(parts, consentingToDoubt(deferItem(parts))),
    },
    show: writePagesAtRest(parts),
    childMachines: [],
    roles: [PLANNER, CHECKER, ...TEAM_ROLES],
    needsRepo: true,
    options: CLASSIC_OPTIONS,
    optionalGates: [],
    // Its plan is the gate before EXECUTING; where it escalates, `execute` asks again behind the reviews.
    offeredGates: OFFERED_GATES,
    hasTasks: true,
    begin: (parameters, gates, options) => ({ ...beginCoding(parameters, options, false), ...gatesOn(gates) }),
    admit: (order) => admitCoding(parts, beginCoding(order.parameters, order.options, false), order, WORK_TEAM),
    admitDecision: admitAtWorkGates,
  };
};
