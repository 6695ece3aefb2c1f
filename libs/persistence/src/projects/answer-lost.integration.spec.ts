import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyChain } from '#checkpoints';
import {
  defineMachine,
  initialSnapshot,
  type ProjectFacts,
  report,
  type RunnableMachine,
  stateTimer,
  waitForChildren,
} from '#engine';
import { newId } from '#kernel';
import { eventually, freshDatabase, type FreshDatabase } from '#testing';
import { loadContents, loadLinks } from './load-project.js';
import { insertProject } from './new-project.js';
import { inTransaction, openPool } from './pool.js';
import { workerOn } from './worker.fixture.js';

const trip: RunnableMachine['machine'] = defineMachine(
  'trip',
  1,
  {
    PACKING: { do: 'pack', on: { packed: 'SHARING' } },
    SHARING: { do: 'share', on: { shared: 'RESTING' } },
    RESTING: { timer: { event: 'rested', ms: 1 }, on: { rested: 'ARRIVING' } },
    ARRIVING: { do: 'arrive', on: { arrived: 'THERE' } },
    THERE: { end: 'completed' },
  },
  { abortTo: 'THERE' },
);
const errand = defineMachine(
  'errand',
  1,
  { RUNNING: { do: 'run', on: { ran: 'DONE' } }, DONE: { end: 'completed' } },
  { abortTo: 'DONE' },
);

/** Counts how often each effect really happened. */
function machines(happened: Map<string, number>): ReadonlyMap<string, RunnableMachine> {
  const once = (step: string) => ({
    step,
    settle: {
      kind: 'query',
      find: ({ key }: { key: string }) => Promise.resolve(happened.has(key) ? 'done' : null),
    } as const,
    run: ({ key }: { key: string }) => {
      happened.set(key, (happened.get(key) ?? 0) + 1);
      return Promise.resolve('done');
    },
  });
  const children = ['a', 'b'].map((key) => ({ key, machine: 'errand', context: { key } }));
  return new Map<string, RunnableMachine>([
    ['trip', { machine: trip, guards: {}, activities: {
      pack: async ({ effect }) => report('packed', { bag: await effect(once('pack')) }),
      share: async ({ joined }) => ((await joined(children)) ? report('shared') : waitForChildren(children)),
      arrive: async ({ effect }) => report('arrived', { result: await effect(once('arrive')) }),
    } }],
    ['errand', { machine: errand, guards: {}, activities: {
      run: async ({ effect, project }) => report('ran', { result: await effect(once(`run-${project.id}`)) }),
    } }],
  ]); // prettier-ignore
}

const MOST_WRITES = 200;
const WRITES = /^\s*(INSERT|UPDATE|DELETE|COMMIT|WITH)/i;

/** Idle polling changes nothing and is not counted. */
const changed = (sql: string, { rowCount }: pg.QueryResult): boolean =>
  WRITES.test(sql) && (rowCount !== 0 || /INSERT INTO worker/.test(sql));

/** A write by its number, or the first of its kind. */
type Which = number | RegExp;

/** A pool that executes one write whose answer then never arrives: the connection breaks instead. */
function losing(pool: pg.Pool, which: Which): { pool: pg.Pool; lost: () => string | null } {
  let count = 0;
  let lost: string | null = null;
  const textOf = (query: unknown): string => (typeof query === 'string' ? query : (query as { text: string }).text);
  const isTheOne = (sql: string): boolean => {
    count += 1;
    return lost === null && (typeof which === 'number' ? count === which : which.test(sql));
  };
  const asked = async (client: pg.PoolClient, args: [string, unknown[]?]): Promise<pg.QueryResult> => {
    const result = await client.query(...args);
    if (changed(textOf(args[0]), result) && isTheOne(textOf(args[0]))) {
      lost = textOf(args[0]);
      (client as unknown as { end(): void }).end();
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    }
    return result;
  };
  const lossy = {
    query: async (...args: [string, unknown[]?]) => {
      const client = await pool.connect();
      let failure: Error | undefined;
      try {
        return await asked(client, args);
      } catch (error) {
        failure = error as Error;
        throw error;
      } finally {
        client.release(failure);
      }
    },
    connect: async () => {
      const client = await pool.connect();
      return {
        query: (...args: [string, unknown[]?]) => asked(client, args),
        release: (broken?: Error) => client.release(broken ?? lost !== null),
      };
    },
  };
  return { pool: lossy as unknown as pg.Pool, lost: () => lost };
}

describe('a database that did it and could not say so', () => {
  let database: FreshDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await freshDatabase();
    pool = openPool({ url: database.url, max: 8, name: 'answer-lost', onError: () => undefined });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** Drives one trip while the answer of that write is lost; resolves to the write, null when there was none such. */
  async function survives(which: Which): Promise<string | null> {
    const id = newId();
    const facts: ProjectFacts = {
      id, name: `trip-${String(which)}`, machine: 'trip', machineVersion: 1, request: 'Go', parameters: {}, repo: null,
      parent: null, startedBy: 'human', traceparent: null,
    }; // prettier-ignore
    const snapshot = initialSnapshot(trip, {});
    const seed = {
      facts,
      snapshot,
      status: 'running',
      runnable: true,
      timer: stateTimer(trip, facts, snapshot),
    } as const;
    const rest = {
      number: null,
      mode: 'trip',
      options: {},
      labels: {},
      parentIncarnation: null,
      events: [{ type: 'project.created', data: {} }],
    };
    await inTransaction(pool, (client) => insertProject(client, { ...seed, ...rest }, null));
    const happened = new Map<string, number>();
    const known = machines(happened);
    const faulty = losing(pool, which);
    const worker = workerOn(faulty.pool, known);
    await eventually('the worker can start', () => worker.start().then(() => true, () => false)); // prettier-ignore
    try {
      const family = 'SELECT * FROM project WHERE id = $1 OR parent_id = $1';
      await eventually(
        `the trip ends though the answer of write ${String(which)} was lost: ${String(faulty.lost())}`,
        async () => {
          const { rows } = await pool.query<{ status: string }>(family, [id]);
          return rows.length === 3 && rows.every(({ status }) => status === 'completed');
        },
      );
      expect([...happened.values()]).toEqual([1, 1, 1, 1]);
      const { rows } = await pool.query<{ id: string; version: number; event_seq: number; head_checksum: string }>(
        family,
        [id],
      );
      for (const project of rows) await isWhole(project);
    } finally {
      await worker.stop(1_000);
    }
    return faulty.lost();
  }

  async function isWhole(project: {
    id: string;
    version: number;
    event_seq: number;
    head_checksum: string;
  }): Promise<void> {
    const links = await loadLinks(pool, project.id);
    const contents = await loadContents(
      pool,
      links.flatMap((link) => Object.values(link.manifest)),
    );
    const anchor = { projectId: project.id, version: project.version, checksum: project.head_checksum };
    expect(verifyChain(links, anchor, (hash) => contents.get(hash), null)).toEqual({
      checked: project.version,
      faults: [],
    });
    const { rows } = await pool.query<{ seq: number; type: string; data: string }>(
      'SELECT seq, type, data FROM event WHERE project_id = $1 ORDER BY seq',
      [project.id],
    );
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: project.event_seq }, (_, index) => index + 1));
    const told = rows.filter(({ type }) => !type.startsWith('signal.')).map(({ type, data }) => `${type} ${data}`);
    expect(told).toEqual([...new Set(told)]);
  }

  it('changes nothing in how a project ends, whichever write it was', async () => {
    const lost: string[] = [];
    for (let nth = 1; nth <= MOST_WRITES; nth += 1) {
      const sql = await survives(nth);
      if (sql === null) break;
      lost.push(sql);
    }
    expect(lost.length).toBeGreaterThan(20);
    expect(lost.length).toBeLessThan(MOST_WRITES);
  });

  it.each([
    /INSERT INTO worker/,
    /lease_worker = \$2/,
    /writes = i\.number/,
    /COMMIT/,
    /DELETE FROM outbox/,
    /FROM timer/,
  ])('changes nothing when it is the first of the kind %s', async (kind) => {
    expect(await survives(kind)).toMatch(kind);
  });
});
