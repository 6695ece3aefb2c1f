import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Route, routes } from '#contracts';
import { hashOfKey } from './auth/api-keys.js';
import { ensureAdminKey } from './auth/admin-key.js';
import { httpWorld, type HttpWorld } from './fixtures/http-world.js';
import { MemoryKeyRing } from './fixtures/memory-ports.js';

let world: HttpWorld;
beforeAll(async () => {
  world = await httpWorld();
});
afterAll(() => world.close());

const closed = Object.values<Route>(routes).filter((route) => route.access !== 'open');
const pathOf = (route: Route): string => route.path.replace('{seq}', '1').replace(/\{\w+\}/g, 'x');

interface RouterLayer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

describe('access', () => {
  it('is what the route table says, and there is no route beside it', () => {
    const express = world.app.getHttpAdapter().getInstance() as unknown as {
      router: { stack: readonly RouterLayer[] };
    };
    const served = express.router.stack.flatMap(({ route }) =>
      route ? Object.keys(route.methods).map((method) => `${method} ${route.path.replace('*', ':')}`) : [],
    );
    const table = Object.values<Route>(routes).map((r) => `${r.method} ${r.path.replace(/\{(\w+)\}/g, ':$1')}`);
    expect(served.sort()).toEqual(table.sort());
  });

  it.each(closed.map((route) => [route.method, route.path, route] as const))(
    'to %s %s needs a key',
    async (method, _path, route) => {
      const answer = await world.call(pathOf(route), { method: method.toUpperCase(), key: null });
      expect(answer.json).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    },
  );

  it.each(closed.map((route) => [route.method, route.path, route] as const))(
    'to %s %s needs its scope',
    async (method, _path, route) => {
      const needed = route.access === 'open' ? null : route.access.scope;
      const others = (['projects:read', 'projects:write', 'gates:decide', 'admin'] as const).filter(
        (s) => s !== needed,
      );
      const key = await world.key('human', others);
      const answer = await world.call(pathOf(route), { method: method.toUpperCase(), key });
      expect(answer.json).toMatchObject({ status: 403, code: 'SCOPE_MISSING', details: { scope: needed } });
    },
  );

  it.each(
    closed.filter((r) => r.access !== 'open' && r.access.human === true).map((r) => [r.method, r.path, r] as const),
  )('to %s %s needs a person', async (method, _path, route) => {
    const key = await world.key('service');
    const answer = await world.call(pathOf(route), { method: method.toUpperCase(), key });
    expect(answer.json).toMatchObject({ status: 403, code: 'HUMAN_REQUIRED' });
  });

  it('to switch a gate off needs a person', async () => {
    const body = { request: 'Do something', gates: { plan: false } };
    const answer = await world.call('/v1/projects', { body, key: await world.key('service') });
    expect(answer.json).toMatchObject({ status: 403, code: 'HUMAN_REQUIRED' });
    expect((await world.call('/v1/projects', { body })).status).toBe(202);
  });

  it.each(['Basic abc', 'Bearer', 'Bearer qr_short', `Bearer qr_${'a'.repeat(43)}`, `Bearer qr_${'a'.repeat(43)} x`])(
    'is refused for the header %j',
    async (authorization) => {
      const answer = await world.call('/v1/projects', { key: null, headers: { authorization } });
      expect(answer.json).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    },
  );

  it('ends with the key: expired, or revoked at once where it was revoked', async () => {
    const expired = await world.key('human', ['projects:read'], new Date(Date.now() - 1));
    expect((await world.call('/v1/projects', { key: expired })).json.detail).toContain('expired');
    const order = { name: 'ci', principal: 'service', scopes: ['projects:read'] };
    const made = await world.call('/v1/api-keys', { body: order });
    expect(made.status).toBe(201);
    const { id, key } = made.json as unknown as { id: string; key: string };
    expect((await world.call('/v1/projects', { key })).status).toBe(200);
    expect((await world.call(`/v1/api-keys/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await world.call('/v1/projects', { key })).json.detail).toContain('revoked');
    expect((await world.call('/v1/api-keys')).text).not.toContain(key);
    expect(world.logged.join('')).not.toContain(key);
  });

  it('is open to health, the description of the API and its page, which needs nothing from elsewhere', async () => {
    for (const path of ['/health/live', '/health/ready', '/openapi.json', '/docs', '/docs/swagger-ui-init.js']) {
      expect((await world.call(path, { key: null })).status, path).toBe(200);
    }
    const page = await world.call('/docs', { key: null });
    expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect((await world.call('/docs/nothing', { key: null })).json.code).toBe('ROUTE_NOT_FOUND');
    expect((await world.call('/docs/swagger-ui-bundle.js', { key: null })).status).toBe(200);
  });
});

describe('the admin key', () => {
  it('is made once, readable by its owner only, and entered again in a new database', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'qralph-admin-key-'));
    const keys = new MemoryKeyRing();
    const path = await ensureAdminKey(keys, dataDir);
    const key = (await readFile(path ?? '', 'utf8')).trim();
    expect((await stat(path ?? '')).mode & 0o777).toBe(0o600);
    expect(await keys.find(hashOfKey(key))).toMatchObject({ principal: 'human', revokedAt: null });
    expect(await ensureAdminKey(keys, dataDir)).toBe(path);
    expect(keys.kept.size).toBe(1);
    const anew = new MemoryKeyRing();
    await ensureAdminKey(anew, dataDir);
    expect(await anew.find(hashOfKey(key))).not.toBeNull();
    const [made] = (await keys.list()).data;
    await keys.revoke(made?.id ?? '');
    await ensureAdminKey(keys, dataDir);
    expect((await readFile(path ?? '', 'utf8')).trim()).not.toBe(key);
    await rm(dataDir, { recursive: true });
  });
});
