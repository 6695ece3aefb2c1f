import type { QueueOptions, WorkerOptions } from 'bullmq';
import type { Nowhere } from './bullmq-parts.js';

const ONE_DAY_S = 24 * 60 * 60;
const connection: Nowhere = {};
const keepForALook = { count: 1_000, age: ONE_DAY_S };

export const producerSettings: QueueOptions<Nowhere> = {
  connection,
  defaultJobOptions: { removeOnComplete: true, removeOnFail: keepForALook, stackTraceLimit: 1 },
  // Nobody reads BullMQ's own event stream here.
  streams: { events: { maxLen: 100 } },
};

/**
 * Jobs are short, so a lock that is not prolonged for a few seconds means that its process died. A job may come back
 * any number of times: whether there is still something to do is for the database to say, not for a counter here.
 */
export const consumerSettings: WorkerOptions<Nowhere> = {
  connection,
  autorun: false,
  lockDuration: 3_000,
  lockRenewTime: 1_000,
  stalledInterval: 1_500,
  maxStalledCount: 1_000_000,
  drainDelay: 5,
  runRetryDelay: 500,
  removeOnComplete: { count: 0 },
  removeOnFail: keepForALook,
};
