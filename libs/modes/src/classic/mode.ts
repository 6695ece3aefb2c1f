import type { CodingParts } from '../coding/coding-context.js';
import { finalise } from '../coding/finalise.activity.js';
import { codingGuards } from '../coding/guards.js';
import { admitCoding, TEAM_ROLES, teamActivities } from '../coding/mode.js';
import { withPages, writePagesAtRest } from '../coding/readable/write-pages.js';
import { beginCoding, CLASSIC_OPTIONS } from '../coding/order.js';
import type { Mode } from '../mode.js';
import { gatesOn, OFFERED_GATES } from '../shared/optional-gates.js';
import { CLARIFIER, createClassic } from './create-project.activity.js';
import { classicMachine } from './machine.js';
import { admitDecision } from './admit-decision.js';
import { CLASSIC_TEAM, plan, PLANNER } from './plan.activity.js';

/** Questions and a plan come before the reviews, and its commits have fixed messages. Reviewers run as in coding mode. */
export const classicMode = (parts: CodingParts): Mode => ({
  name: 'classic',
  machine: classicMachine,
  guards: codingGuards,
  activities: {
    'create-project': createClassic(parts),
    plan: withPages(parts, plan(parts)),
    finalise: finalise(parts, 'QRALPH: Complete'),
    ...teamActivities(parts, 'QRALPH: Reviews complete'),
  },
  show: writePagesAtRest(parts),
  childMachines: [],
  needsRepo: true,
  options: CLASSIC_OPTIONS,
  optionalGates: ['plan'],
  offeredGates: OFFERED_GATES,
  hasTasks: true,
  roles: [CLARIFIER, PLANNER, ...TEAM_ROLES],
  begin: (parameters, gates, options) => ({
    ...beginCoding(parameters, options, true),
    ...(gates['plan'] === false && { isPlanGateOff: true }),
    ...gatesOn(gates),
  }),
  admit: (order) => admitCoding(parts, beginCoding(order.parameters, order.options, true), order, CLASSIC_TEAM),
  admitDecision,
});
