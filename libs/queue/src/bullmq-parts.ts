import { setTimeout as pause } from 'node:timers/promises';
import { type IQueueBackend, Job, type JobJson, type JobProgress, Queue, Worker } from 'bullmq';

/** The connection lives in the backend's factory; BullMQ only insists that there is something. */
export type Nowhere = Readonly<Record<string, never>>;

const PAUSE_AFTER_FAILURE_MS = 250;

/**
 * BullMQ throws on a job whose data is not JSON, before anyone can refuse it: it would come back with every stall
 * check for ever. Such a job reads as one without data, and is refused like any other malformed one. Nothing of ours
 * repeats itself by a schedule, so a job that says so is not believed either.
 */
class ReadableJob<D, R, N extends string, P extends JobProgress> extends Job<D, R, N, P> {
  static override fromJSON<T, R, N extends string>(
    queue: Parameters<typeof Job.fromJSON>[0],
    json: JobJson,
    jobId?: string,
  ): Job<T, R, N> {
    const stored = { ...json };
    delete stored.repeatJobKey;
    try {
      return super.fromJSON<T, R, N>(queue, stored, jobId);
    } catch {
      return super.fromJSON<T, R, N>(queue, { ...stored, data: 'null' }, jobId);
    }
  }
}

export class JobQueue extends Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend, Nowhere> {
  protected override get Job(): typeof Job {
    return ReadableJob;
  }
}

export class JobConsumer extends Worker<unknown, void, string, IQueueBackend, JobProgress, Nowhere> {
  protected override get Job(): typeof Job {
    return ReadableJob;
  }

  /** BullMQ asks again at once after most errors; a database that is starting up is not helped by that. */
  protected override async moveToActive(token: string, name?: string): Promise<Job<unknown, void>> {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      if (!this.closing) await pause(PAUSE_AFTER_FAILURE_MS);
      throw error;
    }
  }

  /** For a backend that is gone while we close: no lock is prolonged any more and the sockets are dropped. */
  async abandon(): Promise<void> {
    await this.lockManager.close();
    await this.backend.close(true);
  }
}
