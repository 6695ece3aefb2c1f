import type pg from 'pg';
import { type CorruptionRule, type RunnableMachine, silentProbe, Worker } from '#engine';
import { newId, systemClock } from '#kernel';
import { PgProjectStore } from './pg-project.store.js';
import { PgWorkerStore } from './pg-worker.store.js';

/** The engine's worker on this database, in a hurry: it wakes itself, without a queue in between. */
export function workerOn(
  pool: pg.Pool,
  known: ReadonlyMap<string, RunnableMachine>,
  corruption: CorruptionRule = { apply: () => Promise.resolve(false) },
): Worker {
  const worker: Worker = new Worker(
    {
      store: new PgProjectStore(pool, null),
      workers: new PgWorkerStore(pool, { host: 'here', pid: process.pid, pidStartedAt: '1' }),
      queue: {
        wake: async (wakeUps) => void (await Promise.all(wakeUps.map(({ projectId }) => worker.wake(projectId)))),
      },
      machines: {
        newest: (name) => known.get(name),
        resolve: (name) => {
          const runnable = known.get(name);
          return Promise.resolve(runnable ? { kind: 'runnable', runnable } : { kind: 'unavailable', reason: name });
        },
      },
      leftBehind: { endAll: () => Promise.resolve() },
      corruption,
      clock: systemClock,
      probe: silentProbe,
    },
    {
      id: `worker-${newId()}`, maxActive: 10, leaseMs: 5_000, heartbeatMs: 500, timerMs: 5, relayMs: 5, reconcileMs: 20,
      runner: { abortDeadlineMs: 1_000, stepRetries: 3, stepBackoffMs: 5, checkpointEveryMs: 60_000 },
    }, // prettier-ignore
  );
  return worker;
}
