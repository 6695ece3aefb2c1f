import type pg from 'pg';
import {
  initialSnapshot,
  isRunnable,
  type Machine,
  type MachineRegistry,
  silentProbe,
  stateTimer,
  statusOf,
  Worker,
} from '#engine';
import { type JsonObject, newId, systemClock } from '#kernel';
import { insertProject, inTransaction, openPool, PgProjectStore, PgWorkerStore } from '#persistence';
import { freshDatabase } from '#testing';

/** Real stores and real workers in this process, for machines that no service offers. */
export interface Bench {
  readonly pool: pg.Pool;
  begin(machine: Machine, context?: JsonObject): Promise<string>;
  work(machines: MachineRegistry): Promise<Worker>;
  close(): Promise<void>;
}

const runner = { abortDeadlineMs: 1_000, stepRetries: 2, stepBackoffMs: 5, checkpointEveryMs: 60_000 };

export async function openBench(): Promise<Bench> {
  const database = await freshDatabase();
  const pool = openPool({ url: database.url, max: 8, name: 'bench', onError: () => undefined });
  const begin = async (machine: Machine, context: JsonObject = {}): Promise<string> => {
    const id = newId();
    const snapshot = initialSnapshot(machine, context);
    const facts = {
      id, name: id, machine: machine.name, machineVersion: machine.version, request: 'A test', parameters: {},
      repo: null, parent: null, startedBy: 'human', traceparent: null,
    } as const; // prettier-ignore
    const seed = {
      facts, snapshot, status: statusOf(machine, snapshot), runnable: isRunnable(machine, snapshot),
      timer: stateTimer(machine, facts, snapshot), number: null, mode: machine.name, options: {}, labels: {},
      parentIncarnation: null, events: [{ type: 'project.created', data: {} }],
    }; // prettier-ignore
    await inTransaction(pool, (client) => insertProject(client, seed, null));
    return id;
  };
  const work = async (machines: MachineRegistry): Promise<Worker> => {
    const worker: Worker = new Worker(
      {
        store: new PgProjectStore(pool, null),
        workers: new PgWorkerStore(pool, { host: 'here', pid: process.pid, pidStartedAt: '1' }),
        queue: {
          wake: async (wakeUps) => void (await Promise.all(wakeUps.map(({ projectId }) => worker.wake(projectId)))),
        },
        machines,
        leftBehind: { endAll: () => Promise.resolve() },
        corruption: { apply: () => Promise.resolve(false) },
        clock: systemClock,
        probe: silentProbe,
      },
      {
        id: newId(),
        maxActive: 50,
        leaseMs: 5_000,
        heartbeatMs: 500,
        timerMs: 10,
        relayMs: 10,
        reconcileMs: 30,
        runner,
      },
    );
    await worker.start();
    return worker;
  };
  const close = async (): Promise<void> => {
    await pool.end();
    await database.drop();
  };
  return { pool, begin, work, close };
}
