import { type Clock, EngineBug, WorldError } from '#kernel';
import type { Lease } from '../ports/lease.js';
import type { ProjectStore, ReleaseTerms, Write } from '../ports/project-store.js';
import { LeaseLost } from './interruption.js';

type Change = Omit<Write, 'number'>;
type Outcome = { readonly signal: number } | 'stale';

const FIRST_BACKOFF_MS = 20;
const LONGEST_BACKOFF_MS = 1_000;

/**
 * Writes to one project under one lease, one at a time and in order.
 * A write returns only when it is known to be in the store. When an answer is lost the store is asked for the write's
 * fate, so nothing is written twice; when the lease is gone it throws LeaseLost, and does so for ever after.
 */
export class LeaseWriter {
  private tail: Promise<unknown> = Promise.resolve();
  private isLost = false;

  constructor(
    private readonly store: ProjectStore,
    private readonly clock: Clock,
    private readonly lease: Lease,
    private writes: number,
    private readonly givesUp: () => boolean,
  ) {}

  get hasLostLease(): boolean {
    return this.isLost;
  }

  /** Resolves to the number of the project's newest signal, as the write saw it. */
  write(change: Change): Promise<number> {
    const result = this.tail.then(() => this.writeInTurn(change));
    this.tail = result.catch(() => undefined);
    return result;
  }

  async release(terms: ReleaseTerms): Promise<'released' | 'signalled'> {
    await this.tail;
    const result = await this.untilAnswered(() => this.store.release(this.lease, terms));
    if (result !== 'stale') return result;
    // A release whose first answer was lost finds the lease gone on its second try: either way it is not ours now.
    this.isLost = true;
    return 'released';
  }

  private async writeInTurn(change: Change): Promise<number> {
    if (this.isLost) throw new LeaseLost();
    const write: Write = { ...change, number: this.writes + 1 };
    const outcome = await this.place(write);
    if (outcome === 'stale') {
      this.isLost = true;
      throw new LeaseLost();
    }
    this.writes = write.number;
    return outcome.signal;
  }

  private async place(write: Write): Promise<Outcome> {
    let answerWasLost = false;
    for (let backoffMs = FIRST_BACKOFF_MS; ; backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS)) {
      try {
        const result = await this.store.write(this.lease, write);
        if (result.kind === 'written') return result;
        return answerWasLost ? await this.fate<'stale'>(write, 'stale') : 'stale';
      } catch (error) {
        if (!(error instanceof WorldError)) throw error;
        if (this.givesUp()) throw new LeaseLost(undefined, { cause: error });
        if (error.code === 'ANSWER_LOST') {
          answerWasLost = true;
          const outcome = await this.fate(write, 'unknown');
          if (outcome !== 'unknown') return outcome;
        }
        await this.clock.sleep(backoffMs);
      }
    }
  }

  /** Asks whether a write whose answer was lost is in the store. Its signal count is unknown: assume that there is news. */
  private async fate<T extends string>(write: Write, otherwise: T): Promise<Outcome | T> {
    const fate = await this.untilAnswered(() => this.store.fateOf(this.lease, write.number));
    if (fate === 'applied') return { signal: Number.MAX_SAFE_INTEGER };
    return fate === 'stale' ? 'stale' : otherwise;
  }

  /** Asks the store until it answers at all. */
  async untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
    for (let backoffMs = FIRST_BACKOFF_MS; ; backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS)) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof WorldError)) {
          throw new EngineBug('STORE_FAULT', 'the store failed in an unknown way', {}, { cause: error });
        }
        if (this.givesUp()) throw new LeaseLost(undefined, { cause: error });
        await this.clock.sleep(backoffMs);
      }
    }
  }
}
