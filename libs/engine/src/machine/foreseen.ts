import type { Guards, Machine } from './machine.js';
import { applySignal, type Signal, type SignalResult } from './signals.js';
import type { Snapshot } from './snapshot.js';

export interface Foresight {
  /** Where the project will stand. */
  readonly snapshot: Snapshot;
  /** What each signal will do, in the order in which they will do it. */
  readonly results: readonly (SignalResult & { readonly signal: Signal })[];
}

/**
 * What becomes of a project when what waits in its inbox is applied, one after the other as the engine does it, if
 * nothing else happens before.
 */
export function foresight(machine: Machine, snapshot: Snapshot, inbox: readonly Signal[], guards: Guards): Foresight {
  const results: (SignalResult & { signal: Signal })[] = [];
  let at = snapshot;
  let waiting = [...inbox];
  let later: Signal[] = [];
  for (let signal = waiting.shift(); signal; signal = waiting.shift()) {
    const result = applySignal(machine, at, signal, guards);
    results.push({ ...result, signal });
    if (result.kind === 'later') later.push(signal);
    if (result.kind !== 'moved' && result.kind !== 'changed') continue;
    const hasResumed = at.paused && !result.next.paused;
    at = result.next;
    if (!hasResumed) continue;
    waiting = [...waiting.filter(({ body }) => body.kind !== 'timer'), ...later];
    later = [];
  }
  return { snapshot: at, results };
}

export const foreseen = (...seen: Parameters<typeof foresight>): Snapshot => foresight(...seen).snapshot;

/** Whether the time of the state is over, and its timer waits to be applied: whatever is sent now comes behind it. */
export const hasLapsed = (...seen: Parameters<typeof foresight>): boolean =>
  foresight(...seen).results.some(({ kind, signal }) => kind === 'moved' && signal.body.kind === 'timer');
