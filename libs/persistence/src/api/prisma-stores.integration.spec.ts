import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorldError } from '#kernel';
import { freshDatabase, type FreshDatabase } from '#testing';
import { openPool } from '../projects/pool.js';
import { type ApiStores, openApiStores } from './index.js';

let database: FreshDatabase;
let pool: pg.Pool;
let stores: ApiStores;
beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool({ url: database.url, max: 5, name: 'test', onError: () => undefined });
  stores = openApiStores(pool);
});
afterAll(async () => {
  await stores.close();
  await pool.end();
  await database.drop();
});

describe('the key ring', () => {
  it('finds keys by their hash, lists them without it, and revokes them once and for all', async () => {
    const ring = stores.keys;
    expect(await ring.hasAdmin()).toBe(false);
    const made = await ring.add({ name: 'a', hash: 'h1', principal: 'human', scopes: ['admin'], expiresAt: null });
    await ring.add({ name: 'b', hash: 'h2', principal: 'service', scopes: ['admin'], expiresAt: new Date(0) });
    expect(await ring.hasAdmin()).toBe(true);
    expect(await ring.find('h1')).toEqual({ ...made, hash: 'h1' });
    expect(await ring.find('h3')).toBeNull();
    const page = await ring.list({ limit: 1 });
    const rest = await ring.list({ limit: 1, cursor: page.nextCursor ?? '' });
    expect([...page.data, ...rest.data].map((key) => key.name).sort()).toEqual(['a', 'b']);
    expect(JSON.stringify(page)).not.toContain('hash');
    expect(await ring.revoke(made.id)).toBe('h1');
    const { revokedAt } = (await ring.find('h1')) ?? {};
    expect(revokedAt).not.toBeNull();
    await ring.revoke(made.id);
    expect((await ring.find('h1'))?.revokedAt).toBe(revokedAt);
    expect(await ring.hasAdmin()).toBe(false);
    await expect(ring.revoke('x')).rejects.toMatchObject({ code: 'API_KEY_NOT_FOUND' });
  });
});

describe('idempotency keys', () => {
  const age = (key: string, by: string): Promise<unknown> =>
    pool.query('UPDATE idempotency_key SET created_at = created_at - $2::interval WHERE key = $1', [key, by]);

  it('let one of many begin, keep its answer, and refuse another request', async () => {
    const store = stores.idempotency;
    const begun = await Promise.all(Array.from({ length: 8 }, () => store.begin('p', 'k', 'hash')));
    expect(begun.map(({ kind }) => kind).sort()).toEqual(['fresh', ...Array<string>(7).fill('in-flight')]);
    expect(await store.begin('p', 'k', 'other')).toEqual({ kind: 'mismatch' });
    expect(await store.begin('another', 'k', 'other')).toEqual({ kind: 'fresh' });
    await store.complete('p', 'k', 202, '{"a":1}');
    await store.abandon('p', 'k');
    expect(await store.begin('p', 'k', 'hash')).toEqual({ kind: 'answered', status: 202, response: '{"a":1}' });
    expect(await store.begin('p', 'k', 'other')).toEqual({ kind: 'mismatch' });
  });

  it('are free again when the first request failed, and soon after its process was lost', async () => {
    const store = stores.idempotency;
    await store.begin('p', 'lost', 'hash');
    await age('lost', '14 seconds');
    expect(await store.begin('p', 'lost', 'hash')).toEqual({ kind: 'in-flight' });
    await age('lost', '2 seconds');
    expect(await store.begin('p', 'lost', 'hash')).toEqual({ kind: 'fresh' });
    expect(await store.begin('p', 'lost', 'hash')).toEqual({ kind: 'in-flight' });
    await store.abandon('p', 'lost');
    expect(await store.begin('p', 'lost', 'other')).toEqual({ kind: 'fresh' });
  });

  it('are forgotten after a day', async () => {
    const store = stores.idempotency;
    await store.begin('p', 'old', 'hash');
    await store.complete('p', 'old', 202, '{}');
    await age('old', '25 hours');
    expect(await store.begin('p', 'old', 'other')).toEqual({ kind: 'fresh' });
    await age('old', '25 hours');
    await store.sweep();
    const { rowCount } = await pool.query(`SELECT 1 FROM idempotency_key WHERE key = 'old'`);
    expect(rowCount).toBe(0);
  });
});

describe('a database that is away', () => {
  it('is the fault of the world, not of the service', async () => {
    const nowhere = openPool({ url: 'postgresql://x@127.0.0.1:1/x', max: 1, name: 'test', onError: () => undefined });
    const lost = openApiStores(nowhere);
    await expect(lost.keys.find('h')).rejects.toBeInstanceOf(WorldError);
    await expect(lost.idempotency.begin('p', 'k', 'h')).rejects.toBeInstanceOf(WorldError);
    await lost.close();
    await nowhere.end();
  });

  it('and comes back serves the same client again', async () => {
    await expect(stores.reads.countByState()).resolves.toBeDefined();
    const others =
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
    await pool.query(others);
    const outcome = await stores.reads.countByState().catch((error: unknown) => error);
    expect(Array.isArray(outcome) || outcome instanceof WorldError).toBe(true);
    await expect
      .poll(() =>
        stores.reads.countByState().then(
          () => 'back',
          () => 'away',
        ),
      )
      .toBe('back');
  });
});
