import { describe, expect, it } from 'vitest';
import { useDatabase } from './database.fixture.js';
import { setTimer } from './new-project.js';
import { worldly } from './pg-errors.js';
import { PgWorkerStore } from './pg-worker.store.js';
import { inTransaction } from './pool.js';

const database = useDatabase('worker-store');

describe('timers that are due', () => {
  it('fire for every project but the one that somebody holds locked, and for that one when it is let go', async () => {
    const workers = new PgWorkerStore(database.pool, { host: 'here', pid: 1, pidStartedAt: '1' });
    const [busy, idle] = [await database.sample(), await database.sample()];
    for (const id of [busy, idle]) await setTimer(database.pool, id, { visit: 1, event: 'ring', ms: -10 });
    await inTransaction(database.pool, async (client) => {
      await client.query('SELECT 1 FROM project WHERE id = $1 FOR UPDATE', [busy]);
      expect(await workers.fireDueTimers(10)).toBe(1);
    });
    expect(await workers.fireDueTimers(10)).toBe(1);
    expect(await workers.fireDueTimers(10)).toBe(0);
    const { rows } = await database.pool.query('SELECT project_id FROM signal ORDER BY created_at');
    expect(rows).toEqual([{ project_id: idle }, { project_id: busy }]);
  });
});

describe('a connection of the pool', () => {
  it('gives up by itself, on the server, what would take too long', async () => {
    const { rows } = await database.pool.query<{ statement: string; lock: string }>(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
    );
    expect(rows).toEqual([{ statement: '25s', lock: '10s' }]);
  });

  it('knows that a statement that was given up did nothing', async () => {
    const late = inTransaction(database.pool, async (client) => {
      await client.query('SET LOCAL statement_timeout = 20');
      await client.query('SELECT pg_sleep(10)');
    });
    const error: unknown = await late.catch((reason: unknown) => worldly(reason));
    expect(error).toMatchObject({ code: 'STORE_AWAY' });
  });
});
