import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpWorld, type HttpWorld } from './fixtures/http-world.js';

let world: HttpWorld;
beforeAll(async () => {
  world = await httpWorld({
    patterns: { list: (query) => Promise.resolve({ data: [], nextCursor: JSON.stringify(query) }) },
  });
});
afterAll(() => world.close());

describe('the list of patterns', () => {
  it('is of all repositories, or of the one that is asked for', async () => {
    const query = async (search: string) =>
      JSON.parse(String((await world.call(`/v1/patterns${search}`)).json['nextCursor'])) as unknown;
    expect(await query('')).toEqual({ limit: 50 });
    expect(await query('?repo=%2Fsrv%2Fapp&limit=3')).toEqual({ repo: '/srv/app', limit: 3 });
  });

  it.each(['?repo=', '?limit=0', '?signature=x', `?repo=${'x'.repeat(5_000)}`])('refuses %s', async (search) => {
    expect(await world.call(`/v1/patterns${search}`)).toMatchObject({ status: 400 });
  });

  it('needs the right to read', async () => {
    const key = await world.key('human', ['projects:write']);
    expect(await world.call('/v1/patterns', { key })).toMatchObject({ status: 403 });
  });
});
