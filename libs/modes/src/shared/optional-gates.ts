import type { Guards } from '#engine';
import { type JsonObject, UserError } from '#kernel';
import type { SaidDecision } from '../mode.js';

/** Gates of every QRALPH mode that are off unless an order switches them on: before EXECUTING, and before COMPLETE. */
export const OFFERED_GATES: readonly string[] = ['execute', 'complete'];

/** What a project's context begins with, for the gates that its order has switched on. */
export function gatesOn(gates: Readonly<Record<string, boolean>>): JsonObject {
  const on = OFFERED_GATES.filter((name) => gates[name] === true);
  return on.length > 0 ? { gatesOn: on } : {};
}

export const isGateOn = (context: Readonly<Record<string, unknown>>, name: string): boolean => {
  const on = context['gatesOn'];
  return Array.isArray(on) && on.includes(name);
};

export const gateGuards: Guards = {
  'execute-gate-is-on': (context) => isGateOn(context, 'execute'),
  'complete-gate-is-on': (context) => isGateOn(context, 'complete'),
};

/** Work is not taken up again without a word about what is to change. */
export function admitAtOfferedGates({ gate, decision, feedback }: SaidDecision): void {
  if (gate === 'complete' && decision === 'revise' && !feedback?.trim()) {
    throw new UserError('FEEDBACK_REQUIRED', 'say in `feedback` what is to change: it becomes a task of its own');
  }
}
