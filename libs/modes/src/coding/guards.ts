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

const isPlanning = (context: Context): boolean => codingOrderOf({ context }).variant === 'planning';

export const codingGuards: Guards = {
  ...blockGuards,
  ...gateGuards,
  'is-planning-variant': isPlanning,
  'delivery-gate-is-on': (context) => isPlanning(context) && isGateOn(context, 'complete'),
  // Reviewers need a repository that is set up: a person who puts that off ends the project.
  'reviews-remain': (context) =>
    contextOf({ context }).team != null && !isSynthesised(context) && contextOf({ context }).block?.cause !== 'setup',
  // What is left after something was put off has to be proven too, before anybody accepts it.
  'more-work-remains': (context) =>
    hasTask(context, 'pending', 'in_progress') || contextOf({ context }).needsProof === true,
  'work-awaits-acceptance': (context) => hasTask(context, 'completed') && contextOf({ context }).isAccepted !== true,
  'is-complete': (context) => contextOf({ context }).isAccepted === true,
  'plan-gate-is-off': (context) => context['isPlanGateOff'] === true,
  'nothing-to-clarify': (context) => ((context['questions'] as readonly Json[] | undefined) ?? []).length === 0,
};
