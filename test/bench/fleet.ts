import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { openPool } from '#persistence';
import { benchWorker, whileDriving } from './bench-worker.js';
import { stepMachine } from './step-machine.js';
import { createProjects } from './step-projects.js';

const SETTLE_MS = 250;

const machine = stepMachine((project, step) => ({ project, step }));

/** Projects that one worker drives at once. */
export class Fleet {
  private constructor(
    private readonly pool: pg.Pool,
    private readonly projects: readonly string[],
  ) {}

  static async open(url: string, projects: number): Promise<Fleet> {
    const pool = openPool({ url, max: 8, name: 'bench', onError: () => undefined });
    return new Fleet(pool, await createProjects(pool, machine, projects));
  }

  /** Drives all projects for `ms`; returns the transitions per second. */
  async perSecond(ms: number): Promise<number> {
    let committed = 0;
    const worker = benchWorker(this.pool, machine, () => (committed += 1));
    return whileDriving(worker, this.projects, async () => {
      await delay(SETTLE_MS);
      const before = committed;
      const since = performance.now();
      await delay(ms);
      return ((committed - before) / (performance.now() - since)) * 1_000;
    });
  }

  /** Drives all projects for `ms`; returns the times from one transition to the next. */
  async timesBetween(ms: number): Promise<number[]> {
    const times: number[] = [];
    let last: number | null = null;
    const worker = benchWorker(this.pool, machine, () => {
      const now = performance.now();
      if (last !== null) times.push(now - last);
      last = now;
    });
    await whileDriving(worker, this.projects, () => delay(ms));
    return times;
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
