import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, type FreshDatabase, sampleSeed } from '#testing';
import { insertProject, setTimer } from './new-project.js';
import { worldly } from './pg-errors.js';
import { PgWorkerStore } from './pg-worker.store.js';
import { inTransaction, openPool } from './pool.js';

let database: FreshDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool({ url: database.url, max: 6, name: 'worker-store', onError: () => undefined });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function project(): Promise<string> {
  const seed = { ...sampleSeed(), number: null, mode: 'sample', options: {}, labels: {}, parentIncarnation: null };
  await inTransaction(pool, (client) => insertProject(client, { ...seed, events: [] }, null));
  return seed.facts.id;
}

describe('timers that are due', () => {
  it('fire for every project but the one that somebody holds locked, and for that one when it is let go', async () => {
    const workers = new PgWorkerStore(pool, { host: 'here', pid: 1, pidStartedAt: '1' });
    const [busy, idle] = [await project(), await project()];
    for (const id of [busy, idle]) await setTimer(pool, id, { visit: 1, event: 'ring', ms: -10 });
    await inTransaction(pool, async (client) => {
      await client.query('SELECT 1 FROM project WHERE id = $1 FOR UPDATE', [busy]);
      expect(await workers.fireDueTimers(10)).toBe(1);
    });
    expect(await workers.fireDueTimers(10)).toBe(1);
    expect(await workers.fireDueTimers(10)).toBe(0);
    const { rows } = await pool.query('SELECT project_id FROM signal ORDER BY created_at');
    expect(rows).toEqual([{ project_id: idle }, { project_id: busy }]);
  });
});

describe('a connection of the pool', () => {
  it('gives up by itself, on the server, what would take too long', async () => {
    const { rows } = await pool.query<{ statement: string; lock: string }>(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
    );
    expect(rows).toEqual([{ statement: '25s', lock: '10s' }]);
  });

  it('knows that a statement that was given up did nothing', async () => {
    const late = inTransaction(pool, async (client) => {
      await client.query('SET LOCAL statement_timeout = 20');
      await client.query('SELECT pg_sleep(10)');
    });
    const error: unknown = await late.catch((reason: unknown) => worldly(reason));
    expect(error).toMatchObject({ code: 'STORE_AWAY' });
  });
});
