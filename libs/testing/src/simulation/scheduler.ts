import type { Clock } from '#kernel';
import type { Random } from './random.js';

interface Pending {
  readonly owner: SimProcess;
  readonly resume: () => void;
  at: number;
}

/** A worker's process in the simulated world: it can be killed, or stopped and continued. */
export interface SimProcess {
  readonly id: string;
  isAlive: boolean;
  stalledUntil: number;
  /** How far this process's own clock is from the world's. */
  clockOffset: number;
}

/**
 * Virtual time and the order of everything. Each await of the simulated world ends here; which one goes on next is
 * chance, drawn from the seed. A killed process simply never goes on.
 */
export class Scheduler {
  now = 0;
  steps = 0;
  private pending: Pending[] = [];

  constructor(private readonly random: Random) {}

  process(id: string): SimProcess {
    return { id, isAlive: true, stalledUntil: 0, clockOffset: 0 };
  }

  /** One await: comes back after a random short while, if the process still lives. */
  step(owner: SimProcess): Promise<void> {
    return this.after(owner, this.random.below(4));
  }

  after(owner: SimProcess, ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const pending: Pending = { owner, at: this.now + ms, resume: resolve };
      signal?.addEventListener('abort', () => (pending.at = Math.min(pending.at, this.now)), { once: true });
      if (signal?.aborted) pending.at = this.now;
      if (owner.isAlive) this.pending.push(pending);
    });
  }

  clock(owner: SimProcess): Clock {
    return {
      now: () => this.now + owner.clockOffset,
      sleep: (ms, signal) => this.after(owner, Math.max(1, ms), signal),
    };
  }

  kill(owner: SimProcess): void {
    owner.isAlive = false;
    this.pending = this.pending.filter((pending) => pending.owner !== owner);
  }

  /** Lets one waiting piece of the world go on; false when nothing waits. */
  async turn(): Promise<boolean> {
    const readyAt = (pending: Pending): number => Math.max(pending.at, pending.owner.stalledUntil);
    let soonest = Infinity;
    for (const pending of this.pending) soonest = Math.min(soonest, readyAt(pending));
    if (soonest === Infinity) return false;
    this.now = Math.max(this.now, soonest);
    const ready = this.pending.filter((pending) => readyAt(pending) <= this.now);
    const chosen = this.random.pick(ready);
    this.pending.splice(this.pending.indexOf(chosen), 1);
    this.steps += 1;
    chosen.resume();
    await settled();
    return true;
  }
}

/** Lets every promise that can go on without the scheduler do so. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
