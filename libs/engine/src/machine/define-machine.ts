import type { Branch, Gate, Machine, State, Timer } from './machine.js';

type Target = string | Branch | readonly (string | Branch)[];

/** A state as a person writes it: targets by name alone where nothing else is to be said. */
export interface StateSketch {
  readonly do?: string;
  readonly gate?: Gate;
  readonly timer?: Timer;
  readonly on?: Readonly<Record<string, Target>>;
  readonly end?: 'completed' | 'aborted';
  readonly remembers?: true;
  readonly completes?: true;
}

export interface MachineOptions {
  readonly initial?: string;
  readonly abortTo: string;
  /** Branches that every state with an activity has, unless it names the event itself. */
  readonly everywhere?: Readonly<Record<string, Target>>;
}

export function defineMachine(
  name: string,
  version: number,
  states: Readonly<Record<string, StateSketch>>,
  options: MachineOptions,
): Machine {
  const spelledOut = Object.entries(states).map(([state, sketch]): [string, State] => {
    const { on = {}, ...rest } = sketch;
    const all = sketch.do && !sketch.end ? { ...options.everywhere, ...on } : on;
    return [state, { ...rest, on: Object.fromEntries(Object.entries(all).map(([e, t]) => [e, branches(t)])) }];
  });
  const initial = options.initial ?? Object.keys(states)[0] ?? '';
  return { name, version, initial, abortTo: options.abortTo, states: Object.fromEntries(spelledOut) };
}

function branches(target: Target): readonly Branch[] {
  const list = typeof target === 'string' || 'to' in target ? [target] : target;
  return list.map((one) => (typeof one === 'string' ? { to: one } : one));
}
