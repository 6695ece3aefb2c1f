import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServiceFacts, ServiceView } from '#contracts';
import { type HttpWorld, httpWorld } from './fixtures/http-world.js';

const FACTS: ServiceFacts = {
  version: '1.2.3', node: 'v24.0.0', git: null, database: 'embedded', queue: 'postgres', worker: false,
  sandbox: 'limited', providers: ['anthropic'], simulated: false, repoRoots: ['/srv/me'],
}; // prettier-ignore

let world: HttpWorld;
beforeAll(async () => {
  world = await httpWorld({ facts: FACTS });
});
afterAll(() => world.close());

describe('GET /v1/service', () => {
  it('says what the service is made of, and who asks with which rights, by no more than the key’s id', async () => {
    const key = await world.key('service', ['projects:read', 'gates:decide']);
    const { status, json, text } = await world.call('/v1/service', { key });
    expect(status).toBe(200);
    const { caller, ...facts } = ServiceView.parse(json);
    expect(facts).toEqual(FACTS);
    expect(caller).toMatchObject({ principal: 'service', scopes: ['projects:read', 'gates:decide'] });
    expect(text).not.toContain(key);
  });

  it('says it to nobody without a key, nor to one that may not read', async () => {
    expect(await world.call('/v1/service', { key: null })).toMatchObject({ status: 401 });
    const key = await world.key('human', ['gates:decide']);
    expect(await world.call('/v1/service', { key })).toMatchObject({ status: 403, json: { code: 'SCOPE_MISSING' } });
  });
});
