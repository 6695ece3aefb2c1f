import type { ProjectTask } from '#contracts';
import type { Guards } from '#engine';
import type { Json } from '#kernel';
import { codingOrderOf, tasksOf } from './coding-context.js';
import { contextOf } from './context.js';
import { blockGuards } from '../shared/block.js';
import { gateGuards, isGateOn } from '../shared/optional-gates.js';

type Context = Readonly<Record<string, Json>>;

const tasks = (context: Context): readonly ProjectTask[] =>
  tasksOf({ context }).filter(({ kind }) => kind !== 'review');

export const hasTask = (context: Context, ...statuses: readonly ProjectTask['status'][]): boolean =>
  tasks(context).some(({ status }) => statuses.includes(status));

/** Whether the reviews have become findings. */
const isSynthesised = (context: Context): boolean => contextOf({ context }).findings !== undefined;

/** Without a set-up nothing can be verified: whatever goes on would come back to the same block. */
export const isWithoutSetup = (context: Context): boolean => contextOf({ context }).block?.cause === 'setup';

const isPlanning = (context: Context): boolean => codingOrderOf({ context }).variant === 'planning';

export const codingGuards: Guards = {
  ...blockGuards,
  ...gateGuards,
  'is-planning-variant': isPlanning,
  'delivery-gate-is-on': (context) => isPlanning(context) && isGateOn(context, 'complete'),
  // A person who puts the set-up off ends the project.
  'reviews-remain': (context) =>
    contextOf({ context }).team != null && !isSynthesised(context) && !isWithoutSetup(context),
  // What is left after something was put off has to be proven too, before anybody accepts it.
  'more-work-remains': (context) =>
    !isWithoutSetup(context) &&
    (hasTask(context, 'pending', 'in_progress') || contextOf({ context }).needsProof === true),
  'work-awaits-acceptance': (context) =>
    hasTask(context, 'completed') && contextOf({ context }).isAccepted !== true && !isWithoutSetup(context),
  'is-complete': (context) => contextOf({ context }).isAccepted === true,
  'plan-gate-is-off': (context) => contextOf({ context }).isPlanGateOff === true,
  'nothing-to-clarify': (context) => (contextOf({ context }).questions ?? []).length === 0,
};
