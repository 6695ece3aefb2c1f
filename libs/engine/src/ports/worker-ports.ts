import type { JsonObject } from '#kernel';

/** What keeps a worker alive and fed. All times are the database's. */
export interface WorkerStore {
  /** Announces the worker, or prolongs it; tells which of its projects have signals newer than the holder saw. */
  heartbeat(workerId: string, ttlMs: number): Promise<readonly { projectId: string; signal: number }[]>;
  /** Gives back everything the worker still holds. */
  retire(workerId: string): Promise<void>;
  /** Turns due timers into signals; returns how many. */
  fireDueTimers(limit: number): Promise<number>;
  /** Wake-ups committed with a write and not yet handed to the queue. */
  takeOutbox(limit: number): Promise<readonly WakeUp[]>;
  confirmOutbox(ids: readonly string[]): Promise<void>;
  /**
   * Projects with something to do that no live worker drives: the truth the queue is rebuilt from. Those that this
   * worker itself holds are among them, since only it knows which of these it really drives: those it names in `except`.
   */
  stranded(workerId: string, except: readonly string[], limit: number): Promise<readonly string[]>;
}

export interface WakeUp {
  readonly id: string;
  readonly projectId: string;
  readonly traceparent: string | null;
}

/** Wakes some worker for a project. May lose, repeat and reorder: Postgres decides what is still to do. */
export interface WakeUpQueue {
  wake(wakeUps: readonly WakeUp[]): Promise<void>;
}

/** Ends what a former holder of a project left running, before anyone else works on it. */
export interface LeftBehind {
  endAll(projectId: string): Promise<void>;
}

export type Moment =
  'claimed' | 'before-commit' | 'committed' | 'handed-over' | 'effect-started' | 'effect-ran' | 'lease-lost';

export interface Place {
  readonly projectId: string;
  readonly machine: string;
  readonly state: string;
  readonly step?: string;
  /** Of a commit: the state that it led to, and what an activity had reported, its event and the facts with it. */
  readonly to?: string;
  readonly report?: JsonObject;
}

/** Where the engine says how far it is: spans and metrics listen here, and tests pull the plug here. */
export interface Probe {
  reached(moment: Moment, at: Place): void;
  /** Runs `work` inside a span; `parent` (W3C traceparent) places a span whose parent lived in another process. */
  within<T>(name: SpanName, details: SpanDetails, work: () => Promise<T>): Promise<T>;
  warn(message: string, details: Readonly<Record<string, unknown>>): void;
}

export type SpanName = 'project' | 'activity' | 'effect' | 'transition';

export interface SpanDetails {
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly parent?: string | null;
}

export const silentProbe: Probe = {
  reached: () => undefined,
  within: (_name, _details, work) => work(),
  warn: () => undefined,
};
