import { type Job, UnrecoverableError } from 'bullmq';
import { EngineBug, errorCode, errorMessage, newId, WorldError } from '#kernel';
import { bindHandlers, type Handle } from './bind-handlers.js';
import { JobConsumer, JobQueue } from './bullmq-parts.js';
import { consumerSettings, producerSettings } from './bullmq-settings.js';
import { answerWithin, endsWithin } from './deadline.js';
import type { JobCatalogue, JobName, PayloadOf } from './job-catalogue.js';
import type { QueueBackend } from './queue-backend.js';
import { readJob } from './read-job.js';
import { runJob } from './run-job.js';
import type { AroundJob, JobHandler, QueueDepth, QueueLog, WorkQueue } from './work-queue.port.js';

const ANSWER_MS = 3_000;
const OPEN_MS = 10_000;
const LAST_GRACE_MS = 1_000;
const MOST_AT_ONCE = 500;

export interface BullmqOptions {
  readonly name: string;
  readonly concurrency: number;
  readonly log: QueueLog;
  readonly around: AroundJob;
}

/**
 * Opened: jobs can be added. Started: this process consumes too. Closed: neither, for good.
 */
export class BullmqWorkQueue<C extends JobCatalogue> implements WorkQueue<C> {
  private consumer: JobConsumer | undefined;
  private readonly running = new Set<Promise<void>>();
  private readonly stop = new AbortController();
  private refusals = 0;
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly catalogue: C,
    private readonly backend: QueueBackend,
    private readonly queue: JobQueue,
    private readonly options: BullmqOptions,
  ) {}

  static async open<C extends JobCatalogue>(
    catalogue: C,
    backend: QueueBackend,
    options: BullmqOptions,
  ): Promise<BullmqWorkQueue<C>> {
    const queue = new JobQueue(options.name, producerSettings, backend.factory);
    queue.on('error', (error) => options.log('warn', 'the queue reports an error', { error: errorMessage(error) }));
    try {
      await answerWithin(OPEN_MS, 'opening', queue.waitUntilReady());
    } catch (error) {
      await backend.close();
      throw error;
    }
    return new BullmqWorkQueue(catalogue, backend, queue, options);
  }

  async add<N extends JobName<C>>(name: N, payloads: readonly PayloadOf<C, N>[]): Promise<void> {
    this.refuseIfClosed();
    const jobs = payloads.map((payload) => {
      const read = readJob(this.catalogue, name, payload);
      if (read.kind === 'refused') throw new EngineBug('BAD_JOB', `cannot add "${name}": ${read.reason}`, { name });
      const { attempts, backoffMs } = read.definition;
      // Ids of our own: the numbers a backend hands out begin again when it is flushed.
      const opts = { jobId: newId(), attempts, backoff: { type: 'exponential', delay: backoffMs } };
      return { name, data: read.payload, opts };
    });
    for (let from = 0; from < jobs.length; from += MOST_AT_ONCE) {
      await answerWithin(ANSWER_MS, 'adding jobs', this.queue.addBulk(jobs.slice(from, from + MOST_AT_ONCE)));
    }
  }

  async start(handlers: readonly JobHandler<C>[]): Promise<void> {
    const bound = bindHandlers(this.catalogue, handlers);
    this.refuseIfClosed();
    if (this.consumer) throw new EngineBug('ALREADY_STARTED', 'this queue is already consuming');
    const { name, concurrency, log } = this.options;
    const process = (job: Job): Promise<void> => this.process(job, bound);
    const consumer = new JobConsumer(name, process, { ...consumerSettings, concurrency }, this.backend.factory);
    consumer.on('error', (error) => log('warn', 'the queue reports an error', { error: errorMessage(error) }));
    this.consumer = consumer;
    try {
      await answerWithin(OPEN_MS, 'beginning to consume', consumer.waitUntilReady());
    } catch (error) {
      this.consumer = undefined;
      await endsWithin(LAST_GRACE_MS, consumer.abandon());
      throw error;
    }
    consumer
      .run()
      .catch((error: unknown) => log('error', 'the queue stopped consuming', { error: errorMessage(error) }));
  }

  isConsuming(): boolean {
    return !this.closing && this.consumer?.isRunning() === true;
  }

  rejected(): number {
    return this.refusals;
  }

  async ping(): Promise<void> {
    this.refuseIfClosed();
    await answerWithin(ANSWER_MS, 'ping', this.backend.ping());
  }

  async depth(): Promise<QueueDepth> {
    this.refuseIfClosed();
    const counts = await answerWithin(
      ANSWER_MS,
      'counting',
      this.queue.getJobCounts('waiting', 'delayed', 'active', 'failed'),
    );
    const waiting = counts['waiting'] ?? 0;
    return {
      waiting,
      retrying: counts['delayed'] ?? 0,
      active: counts['active'] ?? 0,
      failed: counts['failed'] ?? 0,
      oldestWaitingMs: waiting > 0 ? await this.ageOfOldest(waiting) : null,
    };
  }

  close(deadlineMs: number): Promise<void> {
    this.closing ??= this.shutDown(deadlineMs);
    return this.closing;
  }

  private async shutDown(deadlineMs: number): Promise<void> {
    const consumer = this.consumer;
    if (consumer) {
      const idle = Promise.all([consumer.close(), ...this.running]);
      if (!(await endsWithin(deadlineMs, idle))) {
        // Each running job fails now and goes back to the queue for another process.
        this.stop.abort(new WorldError('QUEUE_CLOSED', 'the queue was closed while the job ran'));
        if (!(await endsWithin(LAST_GRACE_MS, consumer.close()))) {
          await endsWithin(LAST_GRACE_MS, consumer.abandon());
        }
      }
    }
    await endsWithin(LAST_GRACE_MS, this.queue.close());
    await this.backend.close();
  }

  /** Both backends list the newest first; on Postgres BullMQ ignores the wish for the other order. */
  private async ageOfOldest(waiting: number): Promise<number> {
    const last = waiting - 1;
    const [oldest] = await answerWithin(ANSWER_MS, 'counting', this.queue.getJobs(['waiting'], last, last));
    return oldest ? ageOf(oldest) : 0;
  }

  private async process(job: Job, handlers: ReadonlyMap<string, Handle>): Promise<void> {
    const read = readJob(this.catalogue, job.name, job.data);
    const handle = handlers.get(job.name);
    if (read.kind === 'refused' || !handle) {
      const reason = read.kind === 'refused' ? read.reason : 'no handler';
      this.refusals += 1;
      this.options.log('warn', 'refused a job', { job: String(job.name).slice(0, 100), id: job.id, reason });
      throw new UnrecoverableError(`refused: ${reason}`);
    }
    const { definition, payload } = read;
    try {
      const work = (): Promise<void> =>
        runJob(definition.timeoutMs, this.stop.signal, (signal) => this.tracked(handle(payload, { signal })));
      await this.options.around(job.name, payload.traceparent ?? null, work, ageOf(job));
    } catch (error) {
      const attempt = job.attemptsMade + 1;
      const details = { id: job.id, attempt, code: errorCode(error), error: errorMessage(error) };
      this.options.log('warn', `the job ${job.name} failed`, details);
      // The catalogue decides how often, whatever the stored job says of itself.
      if (attempt >= definition.attempts) throw new UnrecoverableError(errorMessage(error));
      throw error;
    }
  }

  /** A handler that outlives its time-out is still waited for when the queue closes. */
  private tracked(work: Promise<void>): Promise<void> {
    const settled = work.catch(() => undefined).finally(() => this.running.delete(settled));
    this.running.add(settled);
    return work;
  }

  private refuseIfClosed(): void {
    if (this.closing) throw new WorldError('QUEUE_CLOSED', 'the queue is closed');
  }
}

/** A forged job may claim any time, or none. */
const ageOf = (job: Job): number => Math.max(0, Date.now() - job.timestamp) || 0;
