import { errorMessage, type Json } from '#kernel';
import { type Bound, type Branch, type Guards, type Machine, RETURN, type State } from './machine.js';
import { type Snapshot, stateOf, withCompletion } from './snapshot.js';

export type PrincipalKind = 'engine' | 'human' | 'service';

export interface MachineEvent {
  readonly type: string;
  readonly by: PrincipalKind;
  readonly data?: Readonly<Record<string, Json>>;
  /** Keys of the context to set; null removes one. */
  readonly patch?: Readonly<Record<string, Json>>;
}

export type Transition =
  | { readonly kind: 'moved'; readonly from: string; readonly to: string; readonly next: Snapshot }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly message: string };

export type RefusalReason = 'unknown-state' | 'not-accepted' | 'no-branch-holds' | 'needs-human' | 'ended';

/**
 * What an event does to a project. Total: every input has an answer, and losing is an answer, not an exception.
 * Deterministic: the same machine, snapshot and event always give the same result.
 */
export function transition(machine: Machine, snapshot: Snapshot, event: MachineEvent, guards: Guards = {}): Transition {
  const state = stateOf(machine, snapshot);
  if (!state) return refused('unknown-state', `${machine.name} has no state ${snapshot.state}`);
  if (snapshot.ended || snapshot.failure) return refused('ended', `the project has ended in ${snapshot.state}`);
  if (event.type === 'ABORT') return abort(machine, snapshot);
  const branches = Object.hasOwn(state.on, event.type) ? state.on[event.type] : undefined;
  if (!branches) return refused('not-accepted', `${snapshot.state} does not accept ${event.type}`);
  return take(machine, state, snapshot, event, branches, guards);
}

function take(
  machine: Machine,
  state: State,
  snapshot: Snapshot,
  event: MachineEvent,
  branches: readonly Branch[],
  guards: Guards,
): Transition {
  let needsHuman = false;
  for (const branch of branches) {
    if (event.by !== 'human' && isForHumans(state, branch, event)) {
      needsHuman = true;
      continue;
    }
    const verdict = branch.when === undefined ? true : ask(guards, branch.when, snapshot, event);
    // Passing over a guard that broke could take a branch that it should have shut.
    if (typeof verdict === 'string') return refused('no-branch-holds', verdict);
    if (!verdict) continue;
    const counters = branch.bound ? counted(branch.bound, snapshot, event) : snapshot.counters;
    if (!counters) continue;
    const to = branch.to === RETURN ? snapshot.returnTo : branch.to;
    if (to === null || !Object.hasOwn(machine.states, to)) continue;
    const from = branch.aborts ? { ...snapshot, aborting: true, paused: false } : snapshot;
    return moved(machine, from, to, counters, event.patch ?? {});
  }
  if (needsHuman) return refused('needs-human', `${event.type} in ${snapshot.state} needs a human principal`);
  return refused('no-branch-holds', `${event.type} leads nowhere from ${snapshot.state} as the project stands now`);
}

/** A gate is left by a person, or by the engine's own timer that its table declares. */
function isForHumans(state: State, branch: Branch, event: MachineEvent): boolean {
  const isOwnTimer = event.by === 'engine' && event.type === state.timer?.event;
  return branch.by === 'human' || (state.gate !== undefined && !isOwnTimer);
}

function abort(machine: Machine, snapshot: Snapshot): Transition {
  if (snapshot.aborting) return refused('not-accepted', 'the project is being aborted already');
  if (machine.states[snapshot.state]?.end) return refused('ended', 'the project is ending already');
  if (!Object.hasOwn(machine.states, machine.abortTo)) {
    return refused('unknown-state', `${machine.name} has no state ${machine.abortTo}`);
  }
  const calm: Snapshot = { ...snapshot, aborting: true, paused: false };
  return moved(machine, calm, machine.abortTo, snapshot.counters, {});
}

function moved(
  machine: Machine,
  snapshot: Snapshot,
  to: string,
  counters: Snapshot['counters'],
  patch: Readonly<Record<string, Json>>,
): Transition {
  const remembers = machine.states[to]?.remembers === true;
  const completes = machine.states[to]?.completes === true && !snapshot.aborting;
  const next: Snapshot = {
    ...snapshot,
    state: to,
    visit: snapshot.visit + 1,
    counters: completes ? withCompletion(counters) : counters,
    ended: machine.states[to]?.end !== undefined && machine.states[to].do === undefined,
    wait: null,
    returnTo: remembers ? (snapshot.state === to ? snapshot.returnTo : snapshot.state) : null,
    context: patched(snapshot.context, patch),
  };
  return { kind: 'moved', from: snapshot.state, to, next };
}

export function patched(
  context: Readonly<Record<string, Json>>,
  patch: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> {
  const keys = Object.keys(patch);
  if (keys.length === 0) return context;
  const next: Record<string, Json> = Object.assign(Object.create(null) as Record<string, Json>, context);
  for (const key of keys) {
    const value = patch[key];
    if (value === null || value === undefined) delete next[key];
    else next[key] = value;
  }
  return next;
}

/** Whether the guard holds, with what the event brings along; a text says why it could not tell. */
function ask(guards: Guards, name: string, snapshot: Snapshot, event: MachineEvent): boolean | string {
  const guard = Object.hasOwn(guards, name) ? guards[name] : undefined;
  try {
    return guard?.(patched(snapshot.context, event.patch ?? {}), event.data ?? {}, snapshot.counters) === true;
  } catch (error) {
    return `the guard ${name} broke: ${errorMessage(error)}`;
  }
}

/** The counters with this branch counted, or null when it was taken as often as it may be. */
function counted(bound: Bound, snapshot: Snapshot, event: MachineEvent): Snapshot['counters'] | null {
  const subject =
    bound.per === undefined ? undefined : (own(event.data, bound.per) ?? own(snapshot.context, bound.per));
  const isCountedApart = typeof subject === 'string' || typeof subject === 'number';
  const counter = isCountedApart ? `${bound.name}/${String(subject)}` : bound.name;
  const taken = own(snapshot.counters, counter) ?? 0;
  const wanted = bound.parameter === undefined ? undefined : own(snapshot.context, bound.parameter);
  const max = typeof wanted === 'number' ? wanted : bound.max;
  return taken < max ? { ...snapshot.counters, [counter]: taken + 1 } : null;
}

/** A record's own member: `constructor` and `__proto__` are names like any other. */
function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}

const refused = (reason: RefusalReason, message: string): Transition => ({ kind: 'refused', reason, message });
