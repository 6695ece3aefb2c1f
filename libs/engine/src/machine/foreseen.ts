import type { Guards, Machine } from './machine.js';
import { applySignal, type Signal } from './signals.js';
import { type Snapshot, stateOf } from './snapshot.js';

/**
 * Where a project will stand once what waits in its inbox was applied, if nothing else happens before. What has to wait
 * for a resume is left out: nobody knows when that comes.
 */
export function foreseen(machine: Machine, snapshot: Snapshot, inbox: readonly Signal[], guards: Guards): Snapshot {
  return inbox.reduce((at, signal) => {
    const result = applySignal(machine, at, signal, guards);
    return result.kind === 'moved' || result.kind === 'changed' ? result.next : at;
  }, snapshot);
}

/**
 * Whether the time of the state is over, and its timer waits in the inbox: for a resume, or for somebody to apply it.
 * Whatever is sent now comes behind it.
 */
export function hasLapsed(machine: Machine, snapshot: Snapshot, inbox: readonly Signal[]): boolean {
  const event = stateOf(machine, snapshot)?.timer?.event;
  return inbox.some(
    ({ body }) => body.kind === 'timer' && body.visit === snapshot.visit && event !== undefined && body.event === event,
  );
}
