import type { JobCatalogue, JobName, PayloadOf, QralphJobs } from './job-catalogue.js';

/**
 * Carries wake-ups and other short jobs between processes. A job may be lost, repeated, reordered or stale: the
 * database is the truth, a handler looks there for what is still to do, and a reconciler adds again what was lost.
 *
 * A backend that does not answer in time shows as WorldError QUEUE_AWAY; the queue itself reconnects on its own.
 */
export interface WorkQueue<C extends JobCatalogue = QralphJobs> {
  /** Resolves once the backend has them all. Fails within a bounded time, and may then still have taken them. */
  add<N extends JobName<C>>(name: N, payloads: readonly PayloadOf<C, N>[]): Promise<void>;
  /** Begins to consume. Exactly one handler for each job of the catalogue, else an EngineBug and nothing begins. */
  start(handlers: readonly JobHandler<C>[]): Promise<void>;
  isConsuming(): boolean;
  depth(): Promise<QueueDepth>;
  /** How many jobs were refused since the start, because their name or payload is not in the catalogue. */
  rejected(): number;
  ping(): Promise<void>;
  /** Takes no more jobs, waits for the running handlers up to the deadline, then aborts their signals. Never fails. */
  close(deadlineMs: number): Promise<void>;
}

export type JobHandler<C extends JobCatalogue = QralphJobs> = {
  [N in JobName<C>]: {
    readonly job: N;
    readonly handle: (payload: PayloadOf<C, N>, context: JobContext) => Promise<void>;
  };
}[JobName<C>];

export interface JobContext {
  /** Aborts at the job's time-out, and when the queue is closed and its deadline has passed. */
  readonly signal: AbortSignal;
}

export interface QueueDepth {
  readonly waiting: number;
  /** Failed at least once and waiting for the next attempt. */
  readonly retrying: number;
  readonly active: number;
  /** Given up: all attempts used, or refused. */
  readonly failed: number;
  /** Null when nothing waits. */
  readonly oldestWaitingMs: number | null;
}

export type QueueLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  details: Readonly<Record<string, unknown>>,
) => void;

/**
 * Wraps the running of a job, for telemetry: `work` must be called once, and its failure must come through.
 * `waitedMs` is how long the job lay in the queue.
 */
export type AroundJob = (
  jobName: string,
  traceparent: string | null,
  work: () => Promise<void>,
  waitedMs: number,
) => Promise<void>;
