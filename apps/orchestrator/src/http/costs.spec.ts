import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { httpWorld, type HttpWorld } from './fixtures/http-world.js';
import { projectNamed } from './fixtures/memory-ports.js';

let world: HttpWorld;
let id: string;
const asked: unknown[] = [];
beforeAll(async () => {
  id = newId();
  world = await httpWorld({
    budgets: {
      change: (project, caps, { by }) => {
        asked.push({ project, caps, by: by.principal });
        return Promise.resolve(projectNamed(id));
      },
    },
    costs: {
      ofProject: () => Promise.reject(new Error('not asked')),
      groups: (query) => Promise.resolve({ data: [], nextCursor: JSON.stringify(query) }),
    },
  });
});
afterAll(() => world.close());

const change = (body: unknown, key?: string) =>
  world.call(`/v1/projects/${id}/budget`, { body, ...(key !== undefined && { key }) });

describe('changing a budget', () => {
  it('hands on the caps and who asks', async () => {
    expect(await change({ usd: '12.50', tokens: 7 })).toMatchObject({ status: 200, json: { id } });
    const service = await world.key('service');
    expect(await change({ tokens: 7 }, service)).toMatchObject({ status: 200 });
    expect(asked).toEqual([
      { project: id, caps: { usd: '12.50', tokens: 7 }, by: 'human' },
      { project: id, caps: { tokens: 7 }, by: 'service' },
    ]);
  });

  it.each([
    {}, { usd: 12.5 }, { usd: '-1' }, { usd: '1e9' }, { usd: '1.0000000001' }, { tokens: 0 }, { tokens: 1.5 },
    { tokens: '7' }, { tokens: 10 ** 15 }, { usd: '1', euros: '1' }, [],
  ])('refuses %j with what is wrong', async (body) => {
    const { status, json } = await change(body);
    expect([status, typeof json.detail]).toEqual([422, 'string']);
  }); // prettier-ignore

  it('needs the right to write', async () => {
    expect(await change({ usd: '1' }, await world.key('human', ['projects:read']))).toMatchObject({ status: 403 });
  });
});

describe('costs', () => {
  it('are grouped as asked, by project where nobody says', async () => {
    const query = async (search: string) =>
      JSON.parse(String((await world.call(`/v1/costs${search}`)).json['nextCursor'])) as unknown;
    expect(await query('')).toEqual({ groupBy: 'project', limit: 50 });
    expect(await query('?groupBy=day&limit=3')).toEqual({ groupBy: 'day', limit: 3 });
    expect(await world.call('/v1/costs?groupBy=mood')).toMatchObject({ status: 400 });
  });

  it('of a project that does not exist are not there', async () => {
    expect(await world.call('/v1/projects/no-such/costs')).toMatchObject({ status: 404 });
  });
});
