import { describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { eventually } from '#testing';
import { useDatabase } from './database.fixture.js';
import { inTransaction } from './pool.js';
import { sendSignal, sendSignalOnce, wasSent } from './send-signal.js';

const database = useDatabase('send-signal');

const pause = (id: string) => ({ kind: 'command', id, command: 'PAUSE', visit: 1 }) as const;
const MOST = 3;
const event = { type: 'command.received', data: {} };
const counts = async (id: string) => {
  const { rows } = await database.pool.query<{ signals: number; events: number; last: number }>(
    `SELECT (SELECT count(*)::int FROM signal WHERE project_id = $1) AS signals,
            (SELECT count(*)::int FROM event WHERE project_id = $1) AS events, signal_seq AS last
     FROM project WHERE id = $1`,
    [id],
  );
  return rows[0];
};

const waiting = async (): Promise<number> => {
  const { rowCount } = await database.pool.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rowCount ?? 0;
};

describe('a signal in the inbox', () => {
  it('is known by its id, in its own project alone, whatever else was said there', async () => {
    const [one, other] = [await database.sample(), await database.sample()];
    const decision = { kind: 'decision', gate: 'go', decision: 'id', feedback: '\u0000', visit: 1 } as const;
    await sendSignal(database.pool, one, 'human', pause('the-id'));
    await sendSignal(database.pool, one, 'human', { ...decision, id: 'of-a-decision', answers: { id: 'quoted' } });
    expect(await wasSent(database.pool, one, 'the-id')).toBe(true);
    expect(await wasSent(database.pool, one, 'of-a-decision')).toBe(true);
    expect(await wasSent(database.pool, one, 'another-id')).toBe(false);
    expect(await wasSent(database.pool, one, 'quoted')).toBe(false);
    expect(await wasSent(database.pool, other, 'the-id')).toBe(false);
  });

  it('stays known by it after a worker has consumed it', async () => {
    const id = await database.sample();
    await sendSignal(database.pool, id, 'human', pause('the-id'));
    await database.pool.query('UPDATE signal SET consumed_version = 2 WHERE project_id = $1', [id]);
    expect(await wasSent(database.pool, id, 'the-id')).toBe(true);
  });

  it('arrives once, with its event, however many send it at the same time', async () => {
    const id = await database.sample();
    const [body, next] = [pause(newId()), pause(newId())];
    let sent: Promise<void>[] = [];
    // While somebody holds the project all come to the point where they would send.
    await inTransaction(database.pool, async (client) => {
      await client.query('SELECT 1 FROM project WHERE id = $1 FOR UPDATE', [id]);
      sent = Array.from({ length: 4 }, () => sendSignalOnce(database.pool, id, 'human', body, event, MOST));
      await eventually('all wait for the project', async () => (await waiting()) === 4);
    });
    await Promise.all(sent);
    expect(await counts(id)).toEqual({ signals: 1, events: 1, last: 1 });
    await sendSignalOnce(database.pool, id, 'human', next, event, MOST);
    expect(await counts(id)).toEqual({ signals: 2, events: 2, last: 2 });
  });

  it('finds room up to a bound, what the engine itself has sent aside; ABORT does at any time', async () => {
    const id = await database.sample();
    for (let visit = 1; visit <= 5; visit += 1) await sendSignal(database.pool, id, 'engine', { kind: 'wake', visit });
    const send = (body: Parameters<typeof sendSignalOnce>[3]) =>
      sendSignalOnce(database.pool, id, 'service', body, event, MOST);
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => send(pause(newId()))));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(MOST);
    await expect(send(pause(newId()))).rejects.toMatchObject({ code: 'INBOX_FULL', details: { most: MOST } });
    await send({ ...pause(newId()), command: 'ABORT' });
    expect(await counts(id)).toMatchObject({ signals: 5 + MOST + 1, events: MOST + 1 });
    await database.pool.query('UPDATE signal SET consumed_version = 2 WHERE project_id = $1', [id]);
    await send(pause(newId()));
  });
});
