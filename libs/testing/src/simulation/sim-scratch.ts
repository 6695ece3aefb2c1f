import { type EffectRun, LeaseLost } from '#engine';
import type { Scratch } from '#workspace';
import type { MemoryStore } from '../memory/index.js';
import type { Scheduler, SimProcess } from './scheduler.js';

/** The outside world of the simulated drills: what was really done, how often, and what is being done now. */
export class OutsideWorld {
  readonly executions = new Map<string, number>();
  readonly files = new Set<string>();
  readonly commits = new Map<string, number>();
  readonly announcements = new Map<string, number>();
  private readonly running = new Set<{ projectId: string; isKilled: boolean }>();

  constructor(private readonly store: MemoryStore) {}

  /** A process may start only while its lease stands, and from then on can be found and ended. */
  start(run: EffectRun): { isKilled: boolean; over: () => void } {
    const { projectId, epoch } = run.lease;
    if (this.store.projects.get(projectId)?.leaseEpoch !== epoch) throw new LeaseLost();
    const process = { projectId, isKilled: false };
    this.running.add(process);
    return Object.assign(process, { over: () => this.running.delete(process) });
  }

  endAll(projectId: string): void {
    for (const process of this.running) if (process.projectId === projectId) process.isKilled = true;
  }

  executed(run: EffectRun): void {
    const key = `${run.lease.projectId}/${run.key}`;
    this.executions.set(key, (this.executions.get(key) ?? 0) + 1);
  }
}

/** The scratch repository as the simulated world has it, seen from one worker's process. */
export class SimScratch implements Scratch {
  constructor(
    private readonly world: OutsideWorld,
    private readonly scheduler: Scheduler,
    private readonly owner: SimProcess,
  ) {}

  create(_project: string, run: EffectRun): Promise<string> {
    return this.perform(run, () => 'first');
  }

  writeFile(project: string, file: string, text: string, _workMs: number, run: EffectRun): Promise<number> {
    return this.perform(run, () => {
      this.world.files.add(`${project}/${file}`);
      return text.length;
    });
  }

  commit(_project: string, _message: string, _checkpoint: unknown, run: EffectRun): Promise<string> {
    return this.perform(run, () => {
      const key = `${run.lease.projectId}/${run.key}`;
      this.world.commits.set(key, (this.world.commits.get(key) ?? 0) + 1);
      return key;
    });
  }

  async findCommit(_project: string, run: EffectRun): Promise<string | null> {
    await this.scheduler.step(this.owner);
    const key = `${run.lease.projectId}/${run.key}`;
    return this.world.commits.has(key) ? key : null;
  }

  countFiles(project: string, run: EffectRun): Promise<number> {
    return this.perform(run, () => [...this.world.files].filter((file) => file.startsWith(`${project}/`)).length);
  }

  announce(_project: string, _text: string, run: EffectRun): Promise<number> {
    return this.perform(run, () => {
      const key = `${run.lease.projectId}/${run.key}`;
      const times = (this.world.announcements.get(key) ?? 0) + 1;
      this.world.announcements.set(key, times);
      return times;
    });
  }

  scrap(_project: string, run: EffectRun): Promise<null> {
    return this.perform(run, () => null);
  }

  private async perform<T>(run: EffectRun, work: () => T): Promise<T> {
    await this.scheduler.step(this.owner);
    run.signal.throwIfAborted();
    const process = this.world.start(run);
    try {
      await this.scheduler.step(this.owner);
      run.signal.throwIfAborted();
      if (process.isKilled) throw new Error('the process was ended from outside');
      this.world.executed(run);
      const result = work();
      await this.scheduler.step(this.owner);
      return result;
    } finally {
      process.over();
    }
  }
}
