import type { Json } from '#kernel';
import { type Branch, type Guards, type Machine, RETURN, type State } from './machine.js';
import { type Snapshot, stateOf } from './snapshot.js';

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
  if (state.end || snapshot.failure) return refused('ended', `the project has ended in ${snapshot.state}`);
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
    // A gate is left by a person, or by the timer that its own table declares.
    const humanOnly = branch.by === 'human' || (state.gate !== undefined && event.type !== state.timer?.event);
    if (humanOnly && event.by !== 'human') {
      needsHuman = true;
      continue;
    }
    if (branch.when !== undefined && !holds(guards, branch.when, snapshot, event)) continue;
    const counter = branch.bound && counterKey(branch.bound, event);
    const taken = counter === undefined ? 0 : (snapshot.counters[counter] ?? 0);
    if (branch.bound && taken >= branch.bound.max) continue;
    const to = branch.to === RETURN ? snapshot.returnTo : branch.to;
    if (to === null || !Object.hasOwn(machine.states, to)) continue;
    const counters = counter === undefined ? snapshot.counters : { ...snapshot.counters, [counter]: taken + 1 };
    return moved(machine, snapshot, to, counters, event.patch ?? {});
  }
  if (needsHuman) return refused('needs-human', `${event.type} in ${snapshot.state} needs a human principal`);
  return refused('no-branch-holds', `no branch of ${event.type} in ${snapshot.state} holds now`);
}

function abort(machine: Machine, snapshot: Snapshot): Transition {
  if (snapshot.aborting) return refused('not-accepted', 'the project is being aborted already');
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
  const next: Snapshot = {
    ...snapshot,
    state: to,
    visit: snapshot.visit + 1,
    counters,
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

function holds(guards: Guards, name: string, snapshot: Snapshot, event: MachineEvent): boolean {
  const guard = Object.hasOwn(guards, name) ? guards[name] : undefined;
  return guard?.(snapshot.context, event.data ?? {}) === true;
}

function counterKey(bound: NonNullable<Branch['bound']>, event: MachineEvent): string {
  const subject = bound.per === undefined ? undefined : event.data?.[bound.per];
  return typeof subject === 'string' || typeof subject === 'number' ? `${bound.name}/${String(subject)}` : bound.name;
}

const refused = (reason: RefusalReason, message: string): Transition => ({ kind: 'refused', reason, message });
