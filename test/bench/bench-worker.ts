import type pg from 'pg';
import { type Moment, type RunnableMachine, silentProbe, Worker } from '#engine';
import { newId, systemClock } from '#kernel';
import { PgProjectStore, PgWorkerStore } from '#persistence';
import { registryOf } from './step-machine.js';

/** The real worker on the real stores, with what this bench does not measure (queue, left-behind processes) left out. */
export function benchWorker(pool: pg.Pool, runnable: RunnableMachine, onCommit: () => void): Worker {
  const failed = (message: string, details: Readonly<Record<string, unknown>>): void => {
    process.stderr.write(`worker: ${message} ${String(details['message'] ?? details['error'])}\n`);
  };
  return new Worker(
    {
      store: new PgProjectStore(pool, null),
      workers: new PgWorkerStore(pool, { host: 'bench', pid: process.pid, pidStartedAt: '0' }),
      queue: { wake: () => Promise.resolve() },
      machines: registryOf(runnable),
      leftBehind: { endAll: () => Promise.resolve() },
      corruption: { apply: () => Promise.resolve(false) },
      clock: systemClock,
      probe: {
        ...silentProbe,
        reached: (moment: Moment) => {
          if (moment === 'committed') onCommit();
        },
        warn: failed,
      },
    },
    {
      id: `bench-${newId()}`,
      maxActive: 1_000,
      leaseMs: 15_000,
      heartbeatMs: 5_000,
      timerMs: 1_000,
      relayMs: 1_000,
      reconcileMs: 2_000,
      runner: { abortDeadlineMs: 1_000, stepRetries: 0, stepBackoffMs: 10, checkpointEveryMs: 30_000 },
    },
  );
}

/** Drives the projects while `measure` runs, then hands them back. */
export async function whileDriving<T>(
  worker: Worker,
  projects: readonly string[],
  measure: () => Promise<T>,
): Promise<T> {
  await worker.start();
  try {
    await Promise.all(projects.map((id) => worker.wake(id)));
    return await measure();
  } finally {
    await worker.stop(1_000);
  }
}
