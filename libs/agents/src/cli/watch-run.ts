import type { Clock } from '#kernel';
import type { ProxyTally } from '../proxy/index.js';
import type { CliLimits } from './cli-parts.js';
import type { Ended } from './judge-run.js';

const LOOK_EVERY_MS = 200;
/** So long a call that is under way may keep a pause waiting. */
const PAUSE_WAITS_MS = 20_000;

interface Watched {
  readonly clock: Clock;
  readonly epochMs: () => number;
  readonly limits: CliLimits;
  readonly tally: () => ProxyTally;
  /** Aborts when the project is to pause. */
  readonly pausing?: AbortSignal;
}

/** Watches over a run: ends one that shows no sign of life, or that can come to nothing any more. */
export class RunWatch {
  private readonly over = new AbortController();
  private readonly done = new AbortController();
  private lastSignAt: number;
  private stuckAt: number | null = null;
  private pausingAt: number | null = null;
  private why: Ended | null = null;

  constructor(private readonly watched: Watched) {
    this.lastSignAt = watched.clock.now();
    void this.look();
  }

  /** Aborts when the run is to be ended. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  get endedFor(): Ended | null {
    return this.why;
  }

  sign(): void {
    this.lastSignAt = this.watched.clock.now();
  }

  stop(): void {
    this.done.abort();
  }

  private async look(): Promise<void> {
    const { clock } = this.watched;
    while (!this.done.signal.aborted && this.why === null) {
      this.why = this.reason(clock.now());
      if (this.why !== null) this.over.abort();
      else await clock.sleep(LOOK_EVERY_MS, this.done.signal);
    }
  }

  private reason(now: number): Ended | null {
    const { limits, epochMs } = this.watched;
    const tally = this.watched.tally();
    if (this.watched.pausing?.aborted) {
      this.pausingAt ??= now;
      // Between two calls nothing is lost that was paid for.
      if (tally.underWay === 0 || now - this.pausingAt >= PAUSE_WAITS_MS) return { why: 'pausing' };
    }
    // A call under way has time-outs of its own.
    if (tally.underWay > 0) this.lastSignAt = now;
    if (now - this.lastSignAt >= limits.idleMs) return { why: 'idle' };
    const { rateLimit, lastError, failing } = tally;
    if (rateLimit && rateLimit.resetAt - epochMs() > limits.patienceMs) return { why: 'rate-limit', rateLimit };
    if (lastError && (failing.inRow >= limits.failuresInRow || failing.forMs >= limits.failingMs)) {
      return { why: 'failing', failure: lastError, rateLimit };
    }
    if (tally.isLeaseLost) return { why: 'no-more-calls' };
    if (!tally.overBudget && !tally.isOutOfCalls) return null;
    this.stuckAt ??= now;
    return now - this.stuckAt >= limits.graceMs ? { why: 'no-more-calls' } : null;
  }
}
