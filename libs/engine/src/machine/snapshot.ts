import type { Json } from '#kernel';
import type { Machine, State } from './machine.js';

/**
 * Where a project stands, whole: what a checkpoint holds and what a worker needs to go on.
 * `context` belongs to the machine's activities; everything else belongs to the engine.
 */
export interface Snapshot {
  readonly state: string;
  /** Rises with every entry to a state; part of each effect's key. */
  readonly visit: number;
  /** Rises with restore and rollback, so that effects of a discarded past are never read back. */
  readonly incarnation: number;
  readonly counters: Readonly<Record<string, number>>;
  readonly paused: boolean;
  readonly aborting: boolean;
  /** A terminal state was reached and its activity, if it has one, is done. */
  readonly ended: boolean;
  readonly returnTo: string | null;
  readonly wait: Wait | null;
  readonly failure: Failure | null;
  readonly context: Readonly<Record<string, Json>>;
}

/** What becomes of an effect whose outcome only a person knows: it is run again, or it was done. */
export type EffectVerdictName = 'repeat' | 'done';

/** What the activity of the current state waits for. Gates and timers of the table are not listed: the state says so. */
export type Wait =
  | { readonly kind: 'children'; readonly keys: readonly string[] }
  | { readonly kind: 'time'; readonly reason: string; readonly ms: number; readonly words?: string }
  | {
      readonly kind: 'effect';
      readonly key: string;
      readonly question: string;
      /** What a person may answer; both where it is not said. */
      readonly options?: readonly EffectVerdictName[];
    }
  | { readonly kind: 'step-failed'; readonly code: string; readonly message: string };

export interface Failure {
  readonly code: string;
  readonly message: string;
}

export type Status = 'running' | 'waiting' | 'paused' | 'blocked' | 'completed' | 'aborted' | 'failed';

export function initialSnapshot(machine: Machine, context: Readonly<Record<string, Json>>): Snapshot {
  return {
    state: machine.initial,
    visit: 1,
    incarnation: 1,
    counters: {},
    paused: false,
    aborting: false,
    ended: false,
    returnTo: null,
    wait: null,
    failure: null,
    context,
  };
}

/** Stands among the counters once a state that completes the work was entered. No bound has such a name. */
const COMPLETION = '@completed';

/** Whether the work was completed, and told to be. It stays so if a person sends the project back to work. */
export const isWorkComplete = ({ counters }: Pick<Snapshot, 'counters'>): boolean =>
  Object.hasOwn(counters, COMPLETION);

export const withCompletion = (counters: Snapshot['counters']): Snapshot['counters'] => ({
  ...counters,
  [COMPLETION]: 1,
});

/** For a new project that begins with the counters of another: nothing was told of it yet. */
export function withoutCompletion(counters: Snapshot['counters']): Snapshot['counters'] {
  const { [COMPLETION]: _, ...rest } = counters;
  return rest;
}

export function stateOf(machine: Machine, snapshot: Snapshot): State | undefined {
  return Object.hasOwn(machine.states, snapshot.state) ? machine.states[snapshot.state] : undefined;
}

export function statusOf(machine: Machine, snapshot: Snapshot): Status {
  const state = stateOf(machine, snapshot);
  if (snapshot.failure || !state) return 'failed';
  if (state.end && (snapshot.ended || !state.do)) return snapshot.aborting ? 'aborted' : state.end;
  if (snapshot.paused) return 'paused';
  if (state.remembers || snapshot.wait?.kind === 'step-failed') return 'blocked';
  if (state.gate || snapshot.wait?.kind === 'effect') return 'waiting';
  return 'running';
}

export const hasEnded = (status: Status): boolean =>
  status === 'completed' || status === 'aborted' || status === 'failed';

/** True when a worker has something to do now, rather than a person, a timer or a child. */
export function isRunnable(machine: Machine, snapshot: Snapshot): boolean {
  const state = stateOf(machine, snapshot);
  if (!state || snapshot.failure || snapshot.paused || snapshot.ended) return false;
  return state.do !== undefined && snapshot.wait === null;
}
