import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryEntry, MemoryList } from '#contracts';
import { newId } from '#kernel';
import { httpWorld, type HttpWorld } from './fixtures/http-world.js';
import { MemoryNotes } from './fixtures/memory-ports.js';

let world: HttpWorld;
const notes = new MemoryNotes();
beforeAll(async () => {
  world = await httpWorld({ memory: notes });
});
afterAll(() => world.close());

const order = { kind: 'architectural_decision', title: 'One queue', body: 'BullMQ it is' };
const add = (body: unknown, headers = {}) => world.call('/v1/memory', { body, headers });

describe('the memory', () => {
  it('takes an entry once for each key of idempotency, lists it, and forgets it', async () => {
    const once = { 'idempotency-key': 'k1' };
    const { status, json } = await add(order, once);
    const entry = MemoryEntry.parse(json);
    expect([status, entry]).toMatchObject([201, { ...order, repo: null, domains: [] }]);
    expect((await add(order, once)).json).toEqual(json);
    expect(MemoryList.parse((await world.call('/v1/memory')).json).data).toEqual([entry]);
    const gone = await world.call(`/v1/memory/${entry.id}`, { method: 'DELETE' });
    expect([gone.status, gone.text]).toEqual([204, '']);
    const again = await world.call(`/v1/memory/${entry.id}`, { method: 'DELETE' });
    expect(again).toMatchObject({ status: 404, json: { code: 'MEMORY_NOT_FOUND' } });
  });

  it('hands on what is asked', async () => {
    await world.call('/v1/memory?query=port%20taken&repo=/r&kind=failed_approach&domain=ui&limit=3&cursor=abc');
    expect(notes.queries.at(-1)).toEqual({
      query: 'port taken', repo: '/r', kind: 'failed_approach', domain: 'ui', limit: 3, cursor: 'abc',
    }); // prettier-ignore
    for (const bad of ['kind=mood', 'repo=%00', 'query=', 'limit=0', 'mood=good', `query=${'x'.repeat(2_001)}`]) {
      expect([bad, (await world.call(`/v1/memory?${bad}`)).status]).toEqual([bad, 400]);
    }
  });

  it.each([
    {}, { ...order, kind: 'mood' }, { ...order, title: 'ab' }, { ...order, body: 'x'.repeat(8_001) },
    { ...order, domains: ['x'.repeat(65)] }, { ...order, project: 'mine' },
  ])('refuses what is no entry (%#)', async (body) => {
    expect(await add(body)).toMatchObject({ status: 422 });
  }); // prettier-ignore

  it('is read with one right and written with another', async () => {
    const reader = await world.key('service', ['projects:read']);
    expect(await world.call('/v1/memory', { key: reader })).toMatchObject({ status: 200 });
    expect(await world.call('/v1/memory', { key: reader, body: order })).toMatchObject({ status: 403 });
    const call = { key: reader, method: 'DELETE' };
    expect(await world.call(`/v1/memory/${newId()}`, call)).toMatchObject({ status: 403 });
    expect(await world.call('/v1/memory/nonsense', { method: 'DELETE' })).toMatchObject({ status: 400 });
  });
});
