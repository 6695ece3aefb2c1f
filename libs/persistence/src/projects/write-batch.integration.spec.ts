import { afterEach, describe, expect, it } from 'vitest';
import { initialSnapshot, type Lease, type Write } from '#engine';
import { newId } from '#kernel';
import { valueOf } from '#checkpoints';
import { sampleMachine, sampleSeed } from '#testing';
import type pg from 'pg';
import { useDatabase } from './database.fixture.js';
import { ints, texts, uuids } from './binary-array.js';
import { insertProject } from './new-project.js';
import { PgProjectStore } from './pg-project.store.js';
import { inTransaction } from './pool.js';

const database = useDatabase('write-batch');

describe('a column of a batch', () => {
  it('arrives as it was sent, whatever its texts contain', async () => {
    const id = newId();
    const words = ['', 'NULL', '{}', 'a,b', 'say "x"', 'back\\slash', 'é€😀', null, undefined];
    const { rows } = await database.pool.query('SELECT $1::int[] AS ints, $2::text[] AS texts, $3::uuid[] AS uuids', [
      ints([0, -1, 2_147_483_647, null]),
      texts(words),
      uuids([id, null]),
    ]);
    expect(rows[0]).toEqual({
      ints: [0, -1, 2_147_483_647, null],
      texts: words.map((word) => word ?? null),
      uuids: [id, null],
    });
  });

  it('may be empty', async () => {
    const { rows } = await database.pool.query('SELECT count(*)::int AS rows FROM unnest($1::int[], $2::text[])', [
      ints([]),
      texts([]),
    ]);
    expect(rows).toEqual([{ rows: 0 }]);
  });
});

describe('a value of the context', () => {
  it('that two projects bring in one batch is stored once', async () => {
    const note = { text: `twin ${newId()}`.repeat(4) };
    const store = new PgProjectStore(database.pool, null);
    const twins = [await claimedSample(store), await claimedSample(store)];
    const results = await Promise.all(twins.map(({ lease, write }) => store.write(lease, write({ note }))));
    expect(results.map(({ kind }) => kind)).toEqual(['written', 'written']);
    const { rowCount } = await database.pool.query('SELECT 1 FROM blob WHERE hash = $1', [valueOf(note).ref]);
    expect(rowCount).toBe(1);
  });
});

describe('an entry of the journal', () => {
  const outcome = { said: 'the same of all '.repeat(8) };
  const events = [{ type: 'told', data: { n: 1 } }];
  const writes: readonly Omit<Write, 'number'>[] = [
    { journal: [{ key: '1/1/a', status: 'started', attempt: 1, outcome: null }], events },
    { journal: [{ key: '1/1/a', status: 'done', attempt: 1, outcome }] },
    { journal: [{ key: '1/1/b', status: 'started', attempt: 1, outcome: null }], events: [...events, ...events] },
    { journal: [{ key: '1/1/b', status: 'cleared', attempt: 1, outcome: null }], events },
    { journal: [{ key: '1/1/b', status: 'started', attempt: 2, outcome: null }], events },
    { journal: [{ key: '1/1/b', status: 'done', attempt: 2, outcome: 7 }], events },
  ];

  const keptOf = async (id: string) => {
    const { rows: effects } = await database.pool.query(
      `SELECT key, status, attempt, epoch, outcome_hash, finished_at IS NULL AS is_open, finished_at >= started_at AS follows
       FROM effect WHERE project_id = $1 ORDER BY key`,
      [id],
    );
    const { rows: told } = await database.pool.query(
      'SELECT seq, version, events FROM event_group WHERE project_id = $1 ORDER BY seq',
      [id],
    );
    const { rows: project } = await database.pool.query(
      'SELECT version, writes, event_seq, state, status FROM project WHERE id = $1',
      [id],
    );
    return { effects, told, project };
  };

  it('is kept alike, be it written alone or together with those of others', async () => {
    const store = new PgProjectStore(database.pool, null);
    const [alone, ...others] = [await claimedSample(store), await claimedSample(store), await claimedSample(store)];
    for (const [nth, write] of writes.entries()) {
      const numbered = { ...write, number: nth + 1 };
      expect(await store.write(alone.lease, numbered)).toEqual({ kind: 'written', signal: 0 });
      await Promise.all(others.map(({ lease }) => store.write(lease, numbered)));
    }
    const kept = await keptOf(alone.lease.projectId);
    expect(kept.effects).toMatchObject([
      { key: '1/1/a', status: 'done', attempt: 1, outcome_hash: valueOf(outcome).ref, follows: true },
      { key: '1/1/b', status: 'done', attempt: 2, outcome_hash: valueOf(7).ref, follows: true },
    ]);
    for (const { lease } of others) expect(await keptOf(lease.projectId)).toEqual(kept);
    const { rows } = await database.pool.query('SELECT content FROM blob WHERE hash = $1', [valueOf(outcome).ref]);
    expect(rows).toEqual([{ content: valueOf(outcome).content }]);
  });

  it('of a lease that is gone, or out of its turn, changes nothing', async () => {
    const { store, lease } = await claimedSample();
    const [first] = writes;
    const before = await keptOf(lease.projectId);
    expect(await store.write(lease, { ...first, number: 2 })).toEqual({ kind: 'stale' });
    await database.pool.query('UPDATE project SET lease_epoch = lease_epoch + 1 WHERE id = $1', [lease.projectId]);
    expect(await store.write(lease, { ...first, number: 1 })).toEqual({ kind: 'stale' });
    expect(await keptOf(lease.projectId)).toEqual(before);
  });
});

describe('a batch in which one write comes too late', () => {
  it('keeps the answers of the others, though the late one cannot be recorded', async () => {
    const broken = {
      query: (query: string | { text: string }, values?: unknown[]) => {
        const isRecord = typeof query === 'string' && query.includes('INSERT INTO stale_write');
        if (isRecord) return Promise.reject(Object.assign(new Error('timeout'), { code: '55P03' }));
        return database.pool.query(query as string, values);
      },
    } as unknown as pg.Pool;
    const store = new PgProjectStore(broken, null);
    const [winner, loser] = [await claimedSample(store), await claimedSample(store)];
    await database.pool.query('UPDATE project SET lease_epoch = lease_epoch + 1 WHERE id = $1', [
      loser.lease.projectId,
    ]);
    const [won, lost] = await Promise.allSettled(
      [winner, loser].map(({ lease, write }) => store.write(lease, write({ a: 1 }))),
    );
    expect(won).toMatchObject({ status: 'fulfilled', value: { kind: 'written' } });
    expect(lost).toMatchObject({ status: 'rejected', reason: { code: 'STORE_AWAY' } });
  });
});

describe('what a write announces', () => {
  const announcements = [{ type: 'project.completed', data: { a: 1 } }];
  const told = async (id: string): Promise<unknown[]> => {
    const sql =
      'SELECT type, details, version, project_state, project_status FROM webhook_delivery WHERE project_id = $1';
    return (await database.pool.query<Record<string, unknown>>(sql, [id])).rows;
  };
  const listen = (id: string) =>
    database.pool.query(`INSERT INTO webhook_endpoint (id, url, types, secret) VALUES ($1, 'https://x', '{}', '-')`, [
      id,
    ]);
  afterEach(() => database.pool.query('TRUNCATE webhook_endpoint, webhook_delivery'));

  it('is written with it from the moment somebody listens, by a store that has just found that nobody does', async () => {
    const store = new PgProjectStore(database.pool, null);
    const [unheard, heard, late] = [await claimedSample(store), await claimedSample(store), await claimedSample(store)];
    const write = (one: typeof heard) => store.write(one.lease, { ...one.write({ a: 1 }), announcements });
    expect(await write(unheard)).toMatchObject({ kind: 'written' });
    await listen(newId());
    expect(await write(heard)).toMatchObject({ kind: 'written' });
    expect(await told(unheard.lease.projectId)).toEqual([]);
    const row = { type: 'project.completed', details: '{"a":1}', version: 2, project_status: 'running' };
    expect(await told(heard.lease.projectId)).toMatchObject([row]);
    await database.pool.query('UPDATE project SET lease_epoch = lease_epoch + 1 WHERE id = $1', [late.lease.projectId]);
    expect(await write(late)).toEqual({ kind: 'stale' });
    expect(await told(late.lease.projectId)).toEqual([]);
  });

  it('is the same in a batch, with contents and a journal, and alone', async () => {
    const store = new PgProjectStore(database.pool, null);
    await listen(newId());
    const many = await Promise.all(Array.from({ length: 12 }, () => claimedSample(store)));
    const journal = [{ key: '1/1/x', status: 'done', attempt: 1, outcome: { long: 'x'.repeat(500) } }] as const;
    await Promise.all(
      many.map(({ lease, write }, nth) =>
        store.write(lease, { ...write({ nth }), announcements, ...(nth % 3 === 0 && { journal }) }),
      ),
    );
    for (const { lease } of many) expect(await told(lease.projectId)).toHaveLength(1);
  });
});

type Changed = NonNullable<Write['next']>['changed'];

async function claimedSample(
  store = new PgProjectStore(database.pool, null),
): Promise<{ store: PgProjectStore; lease: Lease; write: (changed: Changed) => Write }> {
  const seed = sampleSeed();
  const rest = { number: null, mode: 'sample', options: {}, labels: {}, parentIncarnation: null, events: [] };
  await inTransaction(database.pool, (client) => insertProject(client, { ...seed, ...rest }, null));
  const claim = await store.claim(seed.facts.id, 'worker');
  if (claim.kind !== 'claimed') throw new Error(`the claim ended as ${claim.kind}`);
  const write = (changed: Changed): Write => ({
    number: claim.project.writes + 1,
    next: {
      snapshot: { ...initialSnapshot(sampleMachine, changed), visit: 2 },
      version: claim.project.version + 1,
      status: 'running',
      cause: 'go',
      changed,
    },
  });
  return { store, lease: claim.project.lease, write };
}
