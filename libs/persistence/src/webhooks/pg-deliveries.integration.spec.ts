import { beforeEach, describe, expect, it } from 'vitest';
import type { Announcement } from '#engine';
import { newId } from '#kernel';
import { sampleSeed } from '#testing';
import type { ClaimTerms } from '#webhooks';
import { announce } from '../projects/announce.js';
import { useDatabase } from '../projects/database.fixture.js';
import { insertProject } from '../projects/new-project.js';
import { inTransaction } from '../projects/pool.js';
import { PgDeliveries } from './pg-deliveries.js';
import { insertEndpoint, PgWebhooks } from './pg-webhooks.js';

const database = useDatabase('deliveries');
const TERMS: ClaimTerms = { most: 100, mostPerEndpoint: 100, busy: new Map(), leaseMs: 60_000 };
const ANSWER = { status: 500, error: 'it answered 500', ms: 3 };

describe('deliveries', () => {
  let store: PgDeliveries;
  let webhooks: PgWebhooks;
  beforeEach(async () => {
    [store, webhooks] = [new PgDeliveries(database.pool), new PgWebhooks(database.pool)];
    await database.pool.query('TRUNCATE webhook_endpoint, webhook_delivery, webhook_attempt');
  });

  const endpoint = async (more: { types?: string[]; projectId?: string } = {}): Promise<string> => {
    const id = newId();
    const seed = { id, projectId: null, url: 'https://x', types: [], description: null, secret: 's', ...more };
    await insertEndpoint(database.pool, seed);
    return id;
  };
  const project = async (): Promise<string> => {
    const seed = sampleSeed();
    const rest = { number: null, mode: 'sample', options: {}, labels: {}, parentIncarnation: null, events: [] };
    await inTransaction(database.pool, (client) => insertProject(client, { ...seed, ...rest }, null));
    return seed.facts.id;
  };
  const tell = (id: string, count = 1, type = 'project.completed') =>
    announce(
      database.pool,
      id,
      Array.from({ length: count }, (): Announcement => ({ type, data: {} })),
    );
  const due = () => database.pool.query('UPDATE webhook_delivery SET due_at = now()');
  const column = async (name: string): Promise<unknown[]> => {
    const { rows } = await database.pool.query<Record<string, unknown>>(`SELECT ${name} FROM webhook_delivery`);
    return rows.map((row) => row[name]);
  };

  it('are made for who wants to know this, of this project, and is switched on', async () => {
    const [mine, other] = [await project(), await project()];
    const all = await endpoint();
    const some = await endpoint({ types: ['project.completed', 'project.aborted'] });
    await endpoint({ types: ['project.aborted'] });
    const own = await endpoint({ projectId: mine });
    await endpoint({ projectId: other });
    await webhooks.change(await endpoint(), { enabled: false });
    await tell(mine);
    const claimed = await store.claim(TERMS);
    expect(claimed.map(({ endpointId }) => endpointId).sort()).toEqual([all, some, own].sort());
    expect(claimed[0]).toMatchObject({ type: 'project.completed', attempt: 1, project: { id: mine, checkpoint: 1 } });
  });

  it('go to one process each, however many ask at once', async () => {
    await endpoint();
    await tell(await project(), 60);
    const processes = Array.from({ length: 6 }, () => new PgDeliveries(database.pool));
    const asked = await Promise.all(processes.map((one) => one.claim({ ...TERMS, most: 20 })));
    const rest = await store.claim(TERMS);
    const ids = [...asked.flat(), ...rest].map(({ id }) => id);
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
    expect(await store.claim(TERMS)).toEqual([]);
  });

  it('are handed on when whoever took them is gone, and the attempt that nobody ended is listed', async () => {
    const id = await endpoint();
    await tell(await project());
    const [first] = await store.claim({ ...TERMS, leaseMs: 0 });
    const [second] = await store.claim(TERMS);
    expect(second).toMatchObject({ id: first?.id, attempt: 2 });
    // The first one was not dead after all: that it failed no longer counts, that it arrived would.
    if (first) await store.settle(first, ANSWER, { kind: 'failed', reason: 'late' });
    expect(await column('outcome')).toEqual(['pending']);
    if (second) await store.settle(second, { status: 200, error: null, ms: 1 }, { kind: 'delivered' });
    const { data } = await webhooks.deliveries(id, { limit: 5 });
    expect(data).toMatchObject([{ outcome: 'delivered', attempts: [{ number: 1 }, { number: 2, status: 200 }] }]);
  });

  it('of one endpoint do not take the place of those of others', async () => {
    const [busy, calm] = [
      await endpoint({ types: ['project.completed'] }),
      await endpoint({ types: ['project.aborted'] }),
    ];
    const id = await project();
    await tell(id, 30);
    await tell(id, 1, 'project.aborted');
    const terms = { ...TERMS, mostPerEndpoint: 4, busy: new Map([[busy, 1]]) };
    const few = await store.claim({ ...terms, most: 1, leaseMs: 0 });
    expect(few.map(({ endpointId }) => endpointId)).toEqual([calm]);
    const claimed = (await store.claim(terms)).map(({ endpointId }) => endpointId);
    expect(claimed.filter((one) => one === busy)).toHaveLength(3);
    expect(claimed).toContain(calm);
  });

  it('rest with their endpoint when it asks for that', async () => {
    await endpoint();
    await tell(await project(), 2);
    const [one] = await store.claim({ ...TERMS, most: 1 });
    if (one) await store.settle(one, ANSWER, { kind: 'retry', delayMs: 0, restMs: 60_000 });
    expect(await store.claim(TERMS)).toEqual([]);
    await database.pool.query('UPDATE webhook_endpoint SET rests_until = now()');
    expect(await store.claim(TERMS)).toHaveLength(2);
  });

  it('that are given up are told in the history of the project, and mark the endpoint until one arrives', async () => {
    const [id, told] = [await endpoint(), await project()];
    await tell(told, 2);
    const [one, two] = await store.claim(TERMS);
    if (one) await store.settle(one, ANSWER, { kind: 'failed', reason: 'it answered 500' });
    const { rows } = await database.pool.query('SELECT type, data FROM event WHERE project_id = $1', [told]);
    expect(rows).toMatchObject([{ type: 'webhook.failed' }]);
    expect((await webhooks.get(id)).failingSince).not.toBeNull();
    const arrived = { status: 200, error: null, ms: 1 };
    if (two) await store.settle({ ...two, isEndpointFailing: true }, arrived, { kind: 'delivered' });
    expect((await webhooks.get(id)).failingSince).toBeNull();
    expect(await webhooks.redeliver(id, one?.id ?? '')).toMatchObject({ outcome: 'pending', id: one?.id });
    expect(await store.claim(TERMS)).toMatchObject([{ id: one?.id, attempt: 2, tries: 1 }]);
  });

  it('that a person wants sent again are, though the attempt that was under way fails after that', async () => {
    const id = await endpoint();
    await tell(await project());
    const [last] = await store.claim(TERMS);
    await webhooks.redeliver(id, last?.id ?? '');
    if (last) await store.settle(last, ANSWER, { kind: 'failed', reason: 'it answered 500' });
    expect(await store.claim(TERMS)).toMatchObject([{ id: last?.id, attempt: 2, tries: 1 }]);
  });

  it('end with an endpoint that is gone, are listed, and wait for nobody', async () => {
    const id = await endpoint();
    await tell(await project(), 3);
    const [one] = await store.claim({ ...TERMS, most: 1 });
    if (one) await store.settle(one, { ...ANSWER, status: 410 }, { kind: 'gone', reason: 'it answered 410 Gone' });
    expect(await webhooks.get(id)).toMatchObject({ enabled: false, disabledReason: 'it answered 410 Gone' });
    expect(await column('outcome')).toEqual(['failed', 'failed', 'failed']);
    await due();
    expect(await store.claim(TERMS)).toEqual([]);
    await expect(webhooks.redeliver(id, newId())).rejects.toMatchObject({ code: 'WEBHOOK_DISABLED' });
  });

  it('are forgotten when they are old, with their attempts and the endpoint of a project that has ended', async () => {
    const told = await project();
    const own = await endpoint({ projectId: told });
    await tell(told);
    const [one] = await store.claim(TERMS);
    if (one) await store.settle(one, { status: 200, error: null, ms: 1 }, { kind: 'delivered' });
    expect(await store.sweep(30)).toBe(0);
    const old = `now() - interval '31 days'`;
    await database.pool.query(`UPDATE webhook_delivery SET finished_at = ${old}`);
    await database.pool.query(`UPDATE project SET status = 'completed', updated_at = ${old} WHERE id = $1`, [told]);
    expect(await store.sweep(30)).toBe(1);
    expect((await database.pool.query('SELECT 1 FROM webhook_attempt')).rows).toEqual([]);
    await expect(webhooks.get(own)).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
  });

  it('to an endpoint that is no more are forgotten, also those that came as it was removed', async () => {
    const id = await endpoint();
    await tell(await project(), 2);
    await database.pool.query('DELETE FROM webhook_endpoint WHERE id = $1', [id]);
    expect(await store.sweep(30)).toBe(2);
    expect(await column('id')).toEqual([]);
  });

  it('are signed with the secret before until its time is over', async () => {
    const id = await endpoint();
    await webhooks.rotate(id, 'new', 60);
    await tell(await project());
    expect(await store.claim({ ...TERMS, leaseMs: 0 })).toMatchObject([{ secrets: ['new', 's'] }]);
    await webhooks.rotate(id, 'newer', 0);
    expect(await store.claim(TERMS)).toMatchObject([{ secrets: ['newer'] }]);
  });
});
