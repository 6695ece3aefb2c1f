import { describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { announceOnce } from '../projects/announce.js';
import { appendEvents } from '../projects/event-group.js';
import { inTransaction } from '../projects/pool.js';
import { PgDeliveries } from './pg-deliveries.js';
import { webhookBacklog } from './webhook-backlog.js';
import { ANSWER, ARRIVED, TERMS, useWebhooks } from './webhook-world.fixture.js';

const world = useWebhooks('deliveries');

describe('deliveries', () => {
  const { database } = world;

  it('are made for who wants to know this, of this project, and is switched on', async () => {
    const [mine, other] = [await world.project(), await world.project()];
    const all = await world.endpoint();
    const some = await world.endpoint({ types: ['project.completed', 'project.aborted'] });
    await world.endpoint({ types: ['project.aborted'] });
    const own = await world.endpoint({ projectId: mine });
    await world.endpoint({ projectId: other });
    await world.webhooks.change(await world.endpoint(), { enabled: false });
    await world.tell(mine);
    const claimed = await world.store.claim(TERMS);
    expect(claimed.map(({ endpointId }) => endpointId).sort()).toEqual([all, some, own].sort());
    expect(claimed[0]).toMatchObject({ type: 'project.completed', attempt: 1, project: { id: mine, checkpoint: 1 } });
  });

  it('go to one process each, however many ask at once', async () => {
    await world.endpoint();
    await world.tell(await world.project(), 60);
    const processes = Array.from({ length: 6 }, () => new PgDeliveries(database.pool));
    const asked = await Promise.all(processes.map((one) => one.claim({ ...TERMS, most: 20 })));
    const rest = await world.store.claim(TERMS);
    const ids = [...asked.flat(), ...rest].map(({ id }) => id);
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
    expect(await world.store.claim(TERMS)).toEqual([]);
  });

  it('are handed on when whoever took them is gone, and the attempt that nobody ended is listed', async () => {
    const id = await world.endpoint();
    await world.tell(await world.project());
    const [first] = await world.store.claim({ ...TERMS, leaseMs: 0 });
    const [second] = await world.store.claim(TERMS);
    expect(second).toMatchObject({ id: first?.id, attempt: 2 });
    // The first one was not dead after all: that it failed no longer counts, that it arrived would.
    if (first) await world.store.settle(first, ANSWER, { kind: 'failed', reason: 'late' });
    expect(await world.column('outcome')).toEqual(['pending']);
    if (second) await world.store.settle(second, ARRIVED, { kind: 'delivered' });
    const { data } = await world.webhooks.deliveries(id, { limit: 5 });
    expect(data).toMatchObject([{ outcome: 'delivered', attempts: [{ number: 1 }, { number: 2, status: 200 }] }]);
  });

  it('of one endpoint do not take the place of those of others', async () => {
    const [busy, calm] = [
      await world.endpoint({ types: ['project.completed'] }),
      await world.endpoint({ types: ['project.aborted'] }),
    ];
    const id = await world.project();
    await world.tell(id, 30);
    await world.tell(id, 1, 'project.aborted');
    const terms = { ...TERMS, mostPerEndpoint: 4, busy: new Map([[busy, 1]]) };
    const few = await world.store.claim({ ...terms, most: 1, leaseMs: 0 });
    expect(few.map(({ endpointId }) => endpointId)).toEqual([calm]);
    const claimed = (await world.store.claim(terms)).map(({ endpointId }) => endpointId);
    expect(claimed.filter((one) => one === busy)).toHaveLength(3);
    expect(claimed).toContain(calm);
  });

  it('rest with their endpoint when it asks for that', async () => {
    await world.endpoint();
    await world.tell(await world.project(), 2);
    const [one] = await world.store.claim({ ...TERMS, most: 1 });
    if (one) await world.store.settle(one, ANSWER, { kind: 'retry', delayMs: 0, restMs: 60_000 });
    expect(await world.store.claim(TERMS)).toEqual([]);
    await database.pool.query('UPDATE webhook_endpoint SET rests_until = NULL');
    expect(await world.store.claim(TERMS)).toHaveLength(2);
  });

  it('that are given up are told in the history of the project, and mark the endpoint until one arrives', async () => {
    const [id, told] = [await world.endpoint(), await world.project()];
    await world.tell(told, 2);
    const [one, two] = await world.store.claim(TERMS);
    if (one) await world.store.settle(one, ANSWER, { kind: 'failed', reason: 'it answered 500' });
    const { rows } = await database.pool.query('SELECT type, data FROM event WHERE project_id = $1', [told]);
    expect(rows).toMatchObject([{ type: 'webhook.failed' }]);
    expect((await world.webhooks.get(id)).failingSince).not.toBeNull();
    if (two) await world.store.settle({ ...two, isEndpointUnwell: true }, ARRIVED, { kind: 'delivered' });
    expect((await world.webhooks.get(id)).failingSince).toBeNull();
    expect(await world.webhooks.redeliver(id, one?.id ?? '')).toMatchObject({ outcome: 'pending', id: one?.id });
    expect(await world.store.claim(TERMS)).toMatchObject([{ id: one?.id, attempt: 2, tries: 1 }]);
  });

  it('that a person wants sent again are, though the attempt that was under way fails after that', async () => {
    const id = await world.endpoint();
    await world.tell(await world.project());
    const [last] = await world.store.claim(TERMS);
    await world.webhooks.redeliver(id, last?.id ?? '');
    if (last) await world.store.settle(last, ANSWER, { kind: 'failed', reason: 'it answered 500' });
    expect(await world.store.claim(TERMS)).toMatchObject([{ id: last?.id, attempt: 2, tries: 1 }]);
  });

  it('that a person wants sent again are, though the attempt that was under way arrives after that', async () => {
    const id = await world.endpoint();
    await world.tell(await world.project());
    const [last] = await world.store.claim(TERMS);
    await world.webhooks.redeliver(id, last?.id ?? '');
    if (last) await world.store.settle(last, ARRIVED, { kind: 'delivered' });
    const [again] = await world.store.claim(TERMS);
    expect(again).toMatchObject({ id: last?.id, attempt: 2, tries: 1 });
    if (last) await world.store.settle(last, ARRIVED, { kind: 'delivered' });
    expect(await world.column('outcome')).toEqual(['pending']);
    if (again) await world.store.settle(again, ARRIVED, { kind: 'delivered' });
    expect(await world.column('outcome')).toEqual(['delivered']);
  });

  it('have arrived also where that is known only after the next attempt has begun', async () => {
    await world.endpoint();
    await world.tell(await world.project());
    const [first] = await world.store.claim({ ...TERMS, leaseMs: 0 });
    expect(await world.store.claim(TERMS)).toMatchObject([{ id: first?.id, attempt: 2, tries: 2 }]);
    if (first) await world.store.settle(first, ARRIVED, { kind: 'delivered' });
    expect(await world.column('outcome')).toEqual(['delivered']);
  });

  it('of a cap that was met are made once, and again when it was changed and set back', async () => {
    await world.endpoint();
    const id = await world.project();
    const met = () =>
      inTransaction(database.pool, (client) =>
        announceOnce(client, id, [{ type: 'budget.exceeded', data: { cap: '1.00' }, isOnce: true }]),
      );
    const change = (from: string, to: string) =>
      appendEvents(database.pool, id, [{ type: 'budget.changed', data: { from: { usd: from }, to: { usd: to } } }]);
    await met();
    await met();
    expect(await world.column('type')).toHaveLength(1);
    await change('1.00', '2.00');
    await change('2.00', '1.00');
    await met();
    await met();
    expect(await world.column('type')).toHaveLength(2);
  });

  it('end with an endpoint that is gone, are listed, and wait for nobody', async () => {
    const id = await world.endpoint();
    await world.tell(await world.project(), 3);
    const [one] = await world.store.claim({ ...TERMS, most: 1 });
    if (one)
      await world.store.settle(one, { ...ANSWER, status: 410 }, { kind: 'gone', reason: 'it answered 410 Gone' });
    expect(await world.webhooks.get(id)).toMatchObject({ enabled: false, disabledReason: 'it answered 410 Gone' });
    expect(await world.column('outcome')).toEqual(['failed', 'failed', 'failed']);
    await database.pool.query('UPDATE webhook_delivery SET due_at = now()');
    expect(await world.store.claim(TERMS)).toEqual([]);
    await expect(world.webhooks.redeliver(id, newId())).rejects.toMatchObject({ code: 'WEBHOOK_DISABLED' });
  });

  it('are forgotten when they are old, with their attempts and the endpoint of a project that has ended', async () => {
    const told = await world.project();
    const own = await world.endpoint({ projectId: told });
    await world.tell(told);
    const [one] = await world.store.claim(TERMS);
    if (one) await world.store.settle(one, ARRIVED, { kind: 'delivered' });
    expect(await world.store.sweep(30)).toBe(0);
    const old = `now() - interval '31 days'`;
    await database.pool.query(`UPDATE webhook_delivery SET finished_at = ${old}`);
    await database.pool.query(`UPDATE project SET status = 'completed', updated_at = ${old} WHERE id = $1`, [told]);
    expect(await world.store.sweep(30)).toBe(1);
    expect((await database.pool.query('SELECT 1 FROM webhook_attempt')).rows).toEqual([]);
    await expect(world.webhooks.get(own)).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
  });

  it('to an endpoint that is no more are forgotten, also those that came as it was removed', async () => {
    const id = await world.endpoint();
    await world.tell(await world.project(), 2);
    await database.pool.query('DELETE FROM webhook_endpoint WHERE id = $1', [id]);
    expect(await world.store.sweep(30)).toBe(2);
    expect(await world.column('id')).toEqual([]);
  });

  it('are signed with the secret before until its time is over', async () => {
    const id = await world.endpoint();
    await world.webhooks.rotate(id, 'new', 60);
    await world.tell(await world.project());
    expect(await world.store.claim({ ...TERMS, leaseMs: 0 })).toMatchObject([{ secrets: ['new', 's'] }]);
    await world.webhooks.rotate(id, 'newer', 0);
    expect(await world.store.claim(TERMS)).toMatchObject([{ secrets: ['newer'] }]);
  });
});

describe('what is still to be sent', () => {
  it('is counted by whether it could be now, with its age, beside what ended lately', async () => {
    const resting = await world.endpoint({ types: ['project.aborted'] });
    const removed = await world.endpoint({ types: ['project.failed'] });
    await world.endpoint({ types: ['project.completed'] });
    const told = await world.project();
    await world.tell(told, 4);
    await world.tell(told, 1, 'project.failed');
    await world.webhooks.remove(removed);
    const [one] = await world.store.claim({ ...TERMS, most: 1 });
    if (one) await world.store.settle(one, ARRIVED, { kind: 'delivered' });
    await world.store.claim({ ...TERMS, most: 1 });
    await world.tell(told, 2, 'project.aborted');
    await world.database.pool.query(
      `UPDATE webhook_endpoint SET rests_until = now() + interval '1 hour' WHERE id = '${resting}'`,
    );
    await world.database.pool.query(`UPDATE webhook_delivery SET created_at = now() - interval '90 seconds'`);
    const { pending, ended } = await webhookBacklog(world.database.pool);
    expect(Object.fromEntries(pending.map(({ due, count }) => [due, count]))).toEqual({ now: 2, later: 3 });
    for (const { oldestSeconds } of pending) expect(Math.floor(oldestSeconds / 30)).toBe(3);
    expect(ended).toEqual([{ outcome: 'delivered', count: 1 }]);
  });
});
