import type { BackendFactory, IQueueBackend } from 'bullmq';
import type { Nowhere } from './bullmq-parts.js';

/** What differs between the stores BullMQ can keep its jobs in. */
export interface QueueBackend {
  readonly kind: 'postgres' | 'redis';
  readonly factory: BackendFactory<IQueueBackend, Nowhere>;
  ping(): Promise<void>;
  /** Drops all connections; what they were waiting for fails. */
  close(): Promise<void>;
}
