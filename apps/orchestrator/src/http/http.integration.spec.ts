import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiStores, type Database, openApiStores, openPool } from '#persistence';
import { freshDatabase, type FreshDatabase } from '#testing';
import { newId } from '#kernel';
import { httpWorld, type HttpWorld } from './fixtures/http-world.js';
import { SseReader } from './fixtures/sse-reader.js';

let database: FreshDatabase;
let pool: Database;
let stores: ApiStores;
let world: HttpWorld;
beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool({ url: database.url, max: 4, name: 'test', onError: () => undefined });
  stores = openApiStores(pool);
  const { reads, checkpoints, keys, idempotency } = stores;
  world = await httpWorld({ reads, eventLog: reads, checkpoints, keys, idempotency });
});
afterAll(async () => {
  await world.close();
  await stores.close();
  await pool.end();
  await database.drop();
});

async function project(id = newId()): Promise<string> {
  await pool.query(
    `INSERT INTO project (id, name, mode, machine, machine_version, request, parameters, options, started_by, state,
       status, version, head_checksum, runnable)
     VALUES ($1, $2, 'drill', 'drill', 1, 'test', '{}', '{}', 'human', 'WORKING', 'running', 1, $3, false)`,
    [id, `test-${id}`, '0'.repeat(64)],
  );
  return id;
}

/** As the engine does it: events and the project's row in one statement. */
const happen = (id: string, count: number, status = 'running'): Promise<unknown> =>
  pool.query(
    `WITH p AS (UPDATE project SET event_seq = event_seq + $2::int, status = $3 WHERE id = $1 RETURNING event_seq)
     INSERT INTO event_group (project_id, seq, version, events) SELECT $1, p.event_seq, 1, $4 FROM p`,
    [id, count, status, JSON.stringify(Array.from({ length: count }, () => ['tick', {}]))],
  );

describe('the API on Postgres', () => {
  it('streams what is committed, at the median within a quarter of a second, without loss or repeat over reconnects', async () => {
    const id = await project();
    const authorization = `Bearer ${await world.key('service', ['projects:read'])}`;
    const open = (last?: number): Promise<SseReader> => {
      const resume = last === undefined ? {} : { 'last-event-id': String(last) };
      return SseReader.open(`${world.url}/v1/projects/${id}/events`, { authorization, ...resume });
    };
    const seen: number[] = [];
    const delaysMs: number[] = [];
    let reader = await open();
    for (let round = 0; round < 5; round += 1) {
      await happen(id, 30);
      const committedAt = performance.now();
      const wanted = 30 * (round + 1) - seen.length;
      await expect.poll(() => reader.ids.length, { interval: 5, timeout: 5_000 }).toBe(wanted);
      delaysMs.push(performance.now() - committedAt);
      seen.push(...reader.ids);
      reader.leave();
      reader = await open(seen.at(-1));
    }
    await happen(id, 3, 'completed');
    await reader.ended;
    seen.push(...reader.ids);
    expect(delaysMs.sort((a, b) => a - b)[2]).toBeLessThan(250);
    expect(seen).toEqual(Array.from({ length: 153 }, (_, nth) => nth + 1));
  });

  it('lists page by page through the cursor, and refuses one that is none', async () => {
    for (let nth = 0; nth < 3; nth += 1) await project();
    const first = await world.call('/v1/projects?limit=2&mode=drill');
    const next = String(first.json['nextCursor']);
    const second = await world.call(`/v1/projects?limit=2&mode=drill&cursor=${next}`);
    const ids = [first, second].flatMap(({ json }) => (json['data'] as { id: string }[]).map((one) => one.id));
    expect(new Set(ids).size).toBe(4);
    for (const path of ['/v1/projects', '/v1/gates', '/v1/api-keys', `/v1/projects/${ids[0] ?? ''}/checkpoints`]) {
      const { json } = await world.call(`${path}?cursor=${Buffer.from('["x"]').toString('base64url')}`);
      expect(json).toMatchObject({ status: 400, code: 'CURSOR_INVALID' });
    }
    expect((await world.call(`/v1/projects/${ids[0] ?? ''}/checkpoints/9`)).json.code).toBe('CHECKPOINT_NOT_FOUND');
  });

  it('starts a project once, however many send the same request at the same time', async () => {
    const send = () =>
      world.call('/v1/projects', { body: { request: 'Once', mode: 'drill' }, headers: { 'idempotency-key': 'one' } });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    for (const { status, json } of answers) expect([202, 409], String(json.code)).toContain(status);
    expect((await send()).headers.get('idempotency-replayed')).toBe('true');
    expect(world.projects.projects.size).toBe(1);
  });

  it('makes keys that open it, until they are revoked', async () => {
    const order = { name: 'ci', principal: 'service', scopes: ['projects:read'] };
    const { json } = await world.call('/v1/api-keys', { body: order });
    const key = String(json['key']);
    expect((await world.call('/v1/projects', { key })).status).toBe(200);
    await world.call(`/v1/api-keys/${String(json['id'])}`, { method: 'DELETE' });
    expect((await world.call('/v1/projects', { key })).status).toBe(401);
    const { rows } = await pool.query<{ row: string }>('SELECT api_key::text AS row FROM api_key');
    expect(rows.map(({ row }) => row).join()).not.toContain(key);
  });
});
