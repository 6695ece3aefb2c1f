import { type Clock, systemClock } from '#kernel';
import { BudgetExceeded, ModelError, noUsage, type Usage } from '#models';
import { LeaseLost } from '#engine';
import type { CallFailure, Failing, ProxyTally } from './proxy.port.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const NOT_FAILING: Failing = { inRow: 0, forMs: 0 };

/** What became of one run's calls, while they come. */
export class RunTally {
  private readonly sums: Mutable<ProxyTally> = {
    calls: 0,
    underWay: 0,
    usage: noUsage,
    costNanoUsd: 0n,
    unknownCosts: 0,
    overBudget: null,
    isLeaseLost: false,
    isOutOfCalls: false,
    rateLimit: null,
    budgetBusy: null,
    lastError: null,
    failing: NOT_FAILING,
  };
  private firstFailedAt = 0;

  constructor(private readonly clock: Clock = systemClock) {}

  read(): ProxyTally {
    return { ...this.sums };
  }

  /** False when the run has had all the calls that it may make. */
  begin(maxCalls: number): boolean {
    if (this.sums.calls >= maxCalls) {
      this.sums.isOutOfCalls = true;
      return false;
    }
    this.sums.calls += 1;
    this.sums.underWay += 1;
    return true;
  }

  end(): void {
    this.sums.underWay -= 1;
  }

  notSent(error: unknown): void {
    this.sums.calls -= 1;
    if (error instanceof BudgetExceeded) this.sums.overBudget = error.breaker;
    if (error instanceof LeaseLost) this.sums.isLeaseLost = true;
    if (error instanceof ModelError && error.code === 'MODEL_BUDGET_BUSY' && error.resetAt !== null) {
      this.sums.budgetBusy = { resetAt: error.resetAt, words: error.message };
    }
  }

  settled(usage: Usage | null, cost: bigint | null): void {
    if (usage) this.sums.usage = plus(this.sums.usage, usage);
    if (cost === null) this.sums.unknownCosts += 1;
    else this.sums.costNanoUsd += cost;
  }

  answered(): void {
    this.sums.rateLimit = null;
    this.sums.budgetBusy = null;
    this.sums.lastError = null;
    this.sums.failing = NOT_FAILING;
  }

  failed(failure: CallFailure, resetAt: number | null): void {
    this.countFailure();
    this.sums.lastError = failure;
    this.sums.budgetBusy = null;
    if (resetAt !== null) this.sums.rateLimit = { resetAt, words: failure.words };
    // Whoever is refused for good has nothing to wait for.
    else if (failure.remedy === 'give-up') this.sums.rateLimit = null;
  }

  private countFailure(): void {
    const { lastError, failing, underWay } = this.sums;
    const now = this.clock.now();
    if (lastError === null) this.firstFailedAt = now;
    const isAlone = underWay <= 1;
    this.sums.failing = { inRow: failing.inRow + (isAlone ? 1 : 0), forMs: now - this.firstFailedAt };
  }
}

const plus = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  reasoning: a.reasoning + b.reasoning,
});
