import { type BullmqOptions, BullmqWorkQueue } from './bullmq-work-queue.js';
import { calmLog } from './calm-log.js';
import { type JobCatalogue, jobCatalogue, type QralphJobs } from './job-catalogue.js';
import type { QueueBackend } from './queue-backend.js';
import type { AroundJob, QueueLog, WorkQueue } from './work-queue.port.js';

const SAME_MESSAGE_EVERY_MS = 5_000;

export interface WorkQueueOptions {
  readonly databaseUrl: string;
  /** Null: the jobs are kept in the database. */
  readonly redisUrl: string | null;
  readonly log: QueueLog;
  readonly around?: AroundJob;
  /** How many jobs this process handles at once. */
  readonly concurrency: number;
  /** Queues of different names know nothing of each other. */
  readonly name?: string;
}

export function openWorkQueue(options: WorkQueueOptions): Promise<WorkQueue<QralphJobs>> {
  return openWorkQueueOf(jobCatalogue, options);
}

/** The same for any catalogue. */
export async function openWorkQueueOf<C extends JobCatalogue>(
  catalogue: C,
  { databaseUrl, redisUrl, ...options }: WorkQueueOptions,
): Promise<WorkQueue<C>> {
  const log = calmLog(options.log, SAME_MESSAGE_EVERY_MS);
  const backend = await openBackend(databaseUrl, redisUrl, log);
  const bullmq: BullmqOptions = {
    name: options.name ?? 'qralph',
    concurrency: options.concurrency,
    log,
    around: options.around ?? ((_name, _traceparent, work) => work()),
  };
  return BullmqWorkQueue.open(catalogue, backend, bullmq);
}

/** Only the driver that is needed is loaded: a process in embedded mode has no use for a Redis client. */
async function openBackend(databaseUrl: string, redisUrl: string | null, log: QueueLog): Promise<QueueBackend> {
  if (redisUrl) return (await import('./redis-backend.js')).openRedisBackend(redisUrl, log);
  return (await import('./postgres-backend.js')).openPostgresBackend(databaseUrl, log);
}
