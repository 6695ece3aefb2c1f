import { WorldError } from '#kernel';
import { worldly } from '../projects/pg-errors.js';

interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (result: O) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs all items in one statement; the answers in their order. */
export type RunBatch<I, O> = (items: readonly I[]) => Promise<readonly O[]>;

const LARGEST_BATCH = 128;

/**
 * Collects what is to be written into one statement, and the next one while that is under way: calls that draw on the
 * same budget would otherwise wait for its row one after the other, each for a commit of its own. A lone item goes out
 * at once. A batch that the database refuses is taken apart, so that one poisonous item fails alone.
 */
export class Batcher<I, O> {
  private queue: Waiting<I, O>[] = [];
  private isUnderWay = false;
  private isScheduled = false;

  constructor(private readonly run: RunBatch<I, O>) {}

  add(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      this.schedule();
    });
  }

  /** Items that become ready together leave together. */
  private schedule(): void {
    if (this.isScheduled || this.isUnderWay) return;
    this.isScheduled = true;
    process.nextTick(() => {
      this.isScheduled = false;
      this.flush();
    });
  }

  private flush(): void {
    if (this.isUnderWay || this.queue.length === 0) return;
    this.isUnderWay = true;
    void this.send(this.queue.splice(0, LARGEST_BATCH)).finally(() => {
      this.isUnderWay = false;
      this.schedule();
    });
  }

  private async send(batch: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      for (const [nth, { resolve }] of batch.entries()) resolve(results[nth] as O);
    } catch (error) {
      const reason = worldly(error);
      if (batch.length === 1 || reason instanceof WorldError) for (const { reject } of batch) reject(reason);
      else for (const one of batch) await this.send([one]);
    }
  }
}
