import type { Clock } from '#kernel';

interface Loop {
  readonly over: Promise<void>;
  nap: AbortController;
}

/** Tasks repeated at an interval, each at its own pace; one that fails is told and tried again at its next turn. */
export class Loops {
  private readonly loops = new Map<string, Loop>();
  private isStopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly failed: (task: string, error: unknown) => void,
  ) {}

  start(task: string, everyMs: number, work: () => Promise<void>): void {
    const loop: { over: Promise<void>; nap: AbortController } = { over: Promise.resolve(), nap: new AbortController() };
    this.loops.set(task, loop);
    loop.over = this.repeat(task, everyMs, work, loop);
  }

  /** Ends the task's pause now. */
  nudge(task: string): void {
    this.loops.get(task)?.nap.abort();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    for (const loop of this.loops.values()) loop.nap.abort();
    await Promise.all([...this.loops.values()].map((loop) => loop.over));
  }

  private async repeat(task: string, everyMs: number, work: () => Promise<void>, loop: Loop): Promise<void> {
    while (!this.isStopped) {
      loop.nap = new AbortController();
      try {
        await work();
      } catch (error) {
        this.failed(task, error);
      }
      if (!this.isStopped) await this.clock.sleep(everyMs, loop.nap.signal);
    }
  }
}
