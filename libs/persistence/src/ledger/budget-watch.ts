import type { Clock } from '#kernel';

type Wake = () => void;

/**
 * Calls that wait for room in a budget. Those of this process hear of every settlement at once; what other processes do
 * is seen by looking at the budget from time to time, once for all that wait for it.
 */
export class BudgetWatch {
  private readonly waiting = new Map<string, Set<Wake>>();
  private readonly looks = new Map<string, Promise<string | null>>();

  constructor(
    private readonly look: (rootId: string) => Promise<string | null>,
    private readonly clock: Clock,
    private readonly everyMs: number,
  ) {}

  tell(rootId: string): void {
    for (const wake of this.waiting.get(rootId) ?? []) wake();
  }

  /** Resolves when the budget is told of, or is not as `seen` any more, or the time is over, or the signal aborts. */
  async changed(rootId: string, seen: string | null, ms: number, signal: AbortSignal): Promise<void> {
    const until = this.clock.now() + ms;
    while (!signal.aborted && this.clock.now() < until) {
      const restMs = Math.min(this.everyMs, until - this.clock.now());
      if (await this.toldWithin(rootId, restMs, signal)) return;
      if (signal.aborted || (await this.lookAt(rootId)) !== seen) return;
    }
  }

  private async toldWithin(rootId: string, ms: number, signal: AbortSignal): Promise<boolean> {
    const told = new AbortController();
    const wake = (): void => {
      told.abort();
    };
    const others = this.waiting.get(rootId) ?? new Set();
    this.waiting.set(rootId, others.add(wake));
    await this.clock.sleep(ms, AbortSignal.any([signal, told.signal]));
    others.delete(wake);
    if (others.size === 0) this.waiting.delete(rootId);
    return told.signal.aborted;
  }

  private lookAt(rootId: string): Promise<string | null> {
    const under = this.looks.get(rootId);
    if (under) return under;
    const look = this.look(rootId).finally(() => this.looks.delete(rootId));
    this.looks.set(rootId, look);
    return look;
  }
}
