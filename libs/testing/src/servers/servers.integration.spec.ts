import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { freshDatabase, hasRedis, startRedis } from './index.js';

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<pg.QueryResultRow>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('freshDatabase', () => {
  it('gives each asker a migrated database of its own, which drop() removes', async () => {
    const [one, two] = await Promise.all([freshDatabase(), freshDatabase()]);
    await ask(one.url, `INSERT INTO blob VALUES ('a', '')`);
    expect(await ask(one.url, 'SELECT hash FROM blob')).toEqual([{ hash: 'a' }]);
    expect(await ask(two.url, 'SELECT hash FROM blob')).toEqual([]);
    await Promise.all([one.drop(), two.drop()]);
    await expect(ask(one.url, 'SELECT 1')).rejects.toThrow('does not exist');
  });
});

describe.runIf(hasRedis())('startRedis', () => {
  it('gives a server that can be flushed, killed and brought back', async () => {
    const server = await startRedis({ maxmemoryPolicy: 'allkeys-lru' });
    const redis = new Redis(server.url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    redis.on('error', () => {});
    expect(await redis.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'allkeys-lru']);
    await redis.set('key', 'value');
    await server.flush();
    expect(await redis.get('key')).toBeNull();
    await redis.set('key', 'value');
    await server.kill();
    await server.restart();
    expect(await redis.get('key')).toBeNull();
    redis.disconnect();
    await server.stop();
  });
});
