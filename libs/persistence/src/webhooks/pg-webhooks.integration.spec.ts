import { describe, expect, it } from 'vitest';
import { announce } from '../projects/announce.js';
import { inTransaction } from '../projects/pool.js';
import { ANSWER, ARRIVED, TERMS, useWebhooks } from './webhook-world.fixture.js';

const world = useWebhooks('webhooks');
const GONE = { kind: 'gone', reason: 'it answered 410 Gone' } as const;
const inAnHour = `now() + interval '1 hour'`;
/** Not just now: the clock of a machine may be set back a little. */
const aSecondAgo = `now() - interval '1 second'`;

describe('an endpoint that is removed', () => {
  it('is gone at once, holding nothing up; its deliveries are forgotten a portion at a time', async () => {
    const [id, kept] = [await world.endpoint(), await world.endpoint()];
    await world.tell(await world.project(), 5);
    await world.store.claim(TERMS);
    // Somebody holds a delivery: to remove the endpoint waits for none.
    await inTransaction(world.database.pool, async (client) => {
      await client.query('SELECT 1 FROM webhook_delivery FOR UPDATE');
      await world.webhooks.remove(id);
    });
    await expect(world.webhooks.get(id)).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
    await expect(world.webhooks.deliveries(id, { limit: 5 })).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
    await expect(world.webhooks.remove(id)).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
    expect(await world.store.sweep(30, 2)).toBe(5);
    expect(await world.column('endpoint_id')).toEqual(Array(5).fill(kept));
    expect(await world.column('number', 'webhook_attempt')).toHaveLength(5);
  });
});

describe('an endpoint that rests', () => {
  const resting = async (count: number): Promise<string> => {
    const id = await world.endpoint();
    await world.tell(await world.project(), count);
    await world.database.pool.query(`UPDATE webhook_endpoint SET rests_until = ${inAnHour}`);
    return id;
  };

  it('says until when, and so do its deliveries', async () => {
    const id = await resting(1);
    const { restsUntil } = await world.webhooks.get(id);
    expect(Date.parse(restsUntil ?? '')).toBeGreaterThan(Date.now() + 3_500_000);
    const { data } = await world.webhooks.deliveries(id, { limit: 1 });
    expect(data).toMatchObject([{ outcome: 'pending', dueAt: restsUntil }]);
    await world.database.pool.query(`UPDATE webhook_endpoint SET rests_until = ${aSecondAgo}`);
    expect((await world.webhooks.get(id)).restsUntil).toBeNull();
  });

  it('does so at its own address: at another one it begins anew', async () => {
    const id = await resting(1);
    expect((await world.webhooks.change(id, { url: 'https://x', description: 'same' })).restsUntil).not.toBeNull();
    expect((await world.webhooks.change(id, { url: 'https://y' })).restsUntil).toBeNull();
    expect(await world.store.claim(TERMS)).toHaveLength(1);
  });

  it('is sent what a person wants sent, and nothing else', async () => {
    const id = await resting(3);
    const [one] = (await world.webhooks.deliveries(id, { limit: 3 })).data;
    const [again, test] = [await world.webhooks.redeliver(id, one?.id ?? ''), await world.webhooks.addTest(id)];
    for (const { dueAt } of [again, test]) expect(Math.abs(Date.parse(dueAt ?? '') - Date.now())).toBeLessThan(60_000);
    const claimed = await world.store.claim({ ...TERMS, leaseMs: 0 });
    expect(claimed.map((each) => each.id).sort()).toEqual([again.id, test.id].sort());
    // Tried once; whoever answers nothing or asks for patience again is left alone as before.
    expect(await world.store.claim(TERMS)).toEqual([]);
  });

  it('is tried with one message after that, and with many again when one arrived', async () => {
    await resting(5);
    await world.database.pool.query(`UPDATE webhook_endpoint SET rests_until = ${aSecondAgo}`);
    const [one, ...more] = await world.store.claim(TERMS);
    expect(more).toEqual([]);
    if (one) await world.store.settle(one, ARRIVED, { kind: 'delivered' });
    expect(await world.store.claim(TERMS)).toHaveLength(4);
  });

  it('goes on resting, though something arrives that was sent before', async () => {
    const id = await world.endpoint();
    await world.tell(await world.project(), 2);
    const [early, late] = await world.store.claim(TERMS);
    if (late) await world.store.settle(late, ANSWER, { kind: 'retry', delayMs: 0, restMs: 60_000 });
    if (early) await world.store.settle({ ...early, isEndpointUnwell: true }, ARRIVED, { kind: 'delivered' });
    expect((await world.webhooks.get(id)).restsUntil).not.toBeNull();
  });
});

describe('the secret of an endpoint', () => {
  const signing = async (): Promise<readonly string[]> => {
    await world.tell(await world.project());
    return (await world.store.claim(TERMS))[0]?.secrets ?? [];
  };

  it('signs on while its time lasts, though another rotation comes before that', async () => {
    const id = await world.endpoint();
    await world.webhooks.rotate(id, 'lost', 60);
    const { previousSecretUntil } = await world.webhooks.rotate(id, 'second', 3_600);
    expect(Date.parse(previousSecretUntil ?? '')).toBeGreaterThan(Date.now() + 3_500_000);
    expect(await signing()).toEqual(['second', 'lost', 's']);
    for (const secret of ['third', 'fourth', 'fifth']) await world.webhooks.rotate(id, secret, 60);
    expect(await signing()).toEqual(['fifth', 'fourth', 'third', 'second', 'lost']);
  });

  it('is forgotten when its time is over, or at once where none is left to it', async () => {
    const id = await world.endpoint();
    await world.webhooks.rotate(id, 'second', 60);
    await world.database.pool.query(`UPDATE webhook_endpoint SET previous_until = now() - interval '1 second'`);
    expect(await signing()).toEqual(['second']);
    await world.store.sweep(30);
    expect(await world.column('previous_secret', 'webhook_endpoint')).toEqual([null]);
    await world.webhooks.rotate(id, 'third', 60);
    expect((await world.webhooks.rotate(id, 'fourth', 0)).previousSecretUntil).toBeNull();
    expect(await signing()).toEqual(['fourth']);
    expect(await world.column('previous_secret', 'webhook_endpoint')).toEqual([null]);
  });
});

describe('an endpoint that is disabled', () => {
  it.each([
    ['by 410', 'it answered 410 Gone'],
    ['by a person', 'somebody switched it off'],
  ])('%s ends what is told to it at the same moment', async (how, reason) => {
    const [id, told] = [await world.endpoint(), await world.project()];
    await world.tell(told);
    const [one] = await world.store.claim(TERMS);
    await inTransaction(world.database.pool, async (client) => {
      await announce(client, told, [{ type: 'project.completed', data: {} }]);
      if (how === 'by 410' && one) await world.store.settle(one, { ...ANSWER, status: 410 }, GONE);
      else await world.webhooks.change(id, { enabled: false });
    });
    expect(await world.store.claim(TERMS)).toEqual([]);
    const { data } = await world.webhooks.deliveries(id, { limit: 5 });
    expect(data.map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
    expect(data[0]).toMatchObject({ reason: `the endpoint was disabled: ${reason}`, dueAt: null });
  });

  it('sends nothing of before when it is switched on again', async () => {
    const [id, told] = [await world.endpoint(), await world.project()];
    await inTransaction(world.database.pool, async (client) => {
      await announce(client, told, [{ type: 'project.completed', data: {} }]);
      await world.webhooks.change(id, { enabled: false });
    });
    await world.webhooks.change(id, { enabled: true });
    expect(await world.store.claim(TERMS)).toEqual([]);
    expect(await world.column('outcome')).toEqual(['failed']);
    await world.tell(told);
    await world.webhooks.change(id, { enabled: true });
    expect(await world.store.claim(TERMS)).toHaveLength(1);
  });
});
