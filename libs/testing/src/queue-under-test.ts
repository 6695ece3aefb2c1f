import { z } from 'zod';
import { type JobCatalogue, type JobHandler, traceparentSchema, type WorkQueue, type WorkQueueOptions } from '#queue';

/** A backend of the queue on a real server, and what a test may do to it. */
export interface QueueUnderTest {
  open<C extends JobCatalogue>(catalogue: C, options: QueueOptions): Promise<WorkQueue<C>>;
  /** Puts a job into the backend past all checks of ours. */
  forge(queueName: string, jobName: string, data: unknown): Promise<void>;
  /** From now on the backend cuts and refuses connections; what it held may be lost. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** A process of its own that takes one job of the queue and never ends it; resolves once it has the job. */
  spawnHangingConsumer(queueName: string): Promise<{ kill(): Promise<void> }>;
  release(): Promise<void>;
}
export type QueueOptions = Pick<WorkQueueOptions, 'log' | 'concurrency' | 'around'> & { readonly name: string };

const note = z.strictObject({ text: z.string(), traceparent: traceparentSchema });
export const testJobs = {
  note: { payload: note, timeoutMs: 5_000, attempts: 3, backoffMs: 20 },
  brief: { payload: note, timeoutMs: 100, attempts: 2, backoffMs: 20 },
} satisfies JobCatalogue;
export type TestJobs = typeof testJobs;
export type Handle = JobHandler<TestJobs>['handle'];

export const nothing: Handle = () => Promise.resolve();
export const handlers = (note: Handle, brief: Handle = nothing): readonly JobHandler<TestJobs>[] => [
  { job: 'note', handle: note },
  { job: 'brief', handle: brief },
];
export const soon = { timeout: 20_000, interval: 10 };
export const texts = (count: number, prefix = 'n'): { text: string }[] =>
  Array.from({ length: count }, (_, index) => ({ text: `${prefix}${index}` }));

/** Something a test waits for, or holds back. */
export function promised<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
