import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { eventually, freshDatabase, type FreshDatabase, sampleSeed } from '#testing';
import { insertProject } from './new-project.js';
import { inTransaction, openPool } from './pool.js';
import { sendSignal, sendSignalOnce, wasSent } from './send-signal.js';

let database: FreshDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool({ url: database.url, max: 6, name: 'send-signal', onError: () => undefined });
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

const pause = (id: string) => ({ kind: 'command', id, command: 'PAUSE', visit: 1 }) as const;
const event = { type: 'command.received', data: {} };
const counts = async (id: string) => {
  const { rows } = await pool.query<{ signals: number; events: number; last: number }>(
    `SELECT (SELECT count(*)::int FROM signal WHERE project_id = $1) AS signals,
            (SELECT count(*)::int FROM event WHERE project_id = $1) AS events, signal_seq AS last
     FROM project WHERE id = $1`,
    [id],
  );
  return rows[0];
};

const waiting = async (): Promise<number> => {
  const { rowCount } = await pool.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rowCount ?? 0;
};

describe('a signal in the inbox', () => {
  it('is known by its id, in its own project alone, whatever else was said there', async () => {
    const [one, other] = [await project(), await project()];
    const decision = { kind: 'decision', gate: 'go', decision: 'id', feedback: '\u0000', visit: 1 } as const;
    await sendSignal(pool, one, 'human', pause('the-id'));
    await sendSignal(pool, one, 'human', { ...decision, id: 'of-a-decision', answers: { id: 'quoted' } });
    expect(await wasSent(pool, one, 'the-id')).toBe(true);
    expect(await wasSent(pool, one, 'of-a-decision')).toBe(true);
    expect(await wasSent(pool, one, 'another-id')).toBe(false);
    expect(await wasSent(pool, one, 'quoted')).toBe(false);
    expect(await wasSent(pool, other, 'the-id')).toBe(false);
  });

  it('stays known by it after a worker has consumed it', async () => {
    const id = await project();
    await sendSignal(pool, id, 'human', pause('the-id'));
    await pool.query('UPDATE signal SET consumed_version = 2 WHERE project_id = $1', [id]);
    expect(await wasSent(pool, id, 'the-id')).toBe(true);
  });

  it('arrives once, with its event, however many send it at the same time', async () => {
    const id = await project();
    const [body, next] = [pause(newId()), pause(newId())];
    let sent: Promise<void>[] = [];
    // While somebody holds the project all come to the point where they would send.
    await inTransaction(pool, async (client) => {
      await client.query('SELECT 1 FROM project WHERE id = $1 FOR UPDATE', [id]);
      sent = Array.from({ length: 4 }, () => sendSignalOnce(pool, id, 'human', body, event));
      await eventually('all wait for the project', async () => (await waiting()) === 4);
    });
    await Promise.all(sent);
    expect(await counts(id)).toEqual({ signals: 1, events: 1, last: 1 });
    await sendSignalOnce(pool, id, 'human', next, event);
    expect(await counts(id)).toEqual({ signals: 2, events: 2, last: 2 });
  });
});
