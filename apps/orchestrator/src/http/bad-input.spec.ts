import { request as rawRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, UserError } from '#kernel';
import { type CallOptions, httpWorld, type HttpWorld } from './fixtures/http-world.js';
import { problemOf } from './problem/problem-of.js';

let world: HttpWorld;
beforeAll(async () => {
  world = await httpWorld();
});
afterAll(() => world.close());

const start = { request: 'Do something', mode: 'drill' };
const deep = `${'['.repeat(64)}${']'.repeat(64)}`;

/** fetch does not let a test choose these headers. */
function withHeaders(headers: Record<string, string>): Promise<{ status: number; code: unknown }> {
  return new Promise((resolve, reject) => {
    const sent = rawRequest(`${world.url}/health/live`, { headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, code: (JSON.parse(text) as { code?: unknown }).code });
      });
    });
    sent.on('error', reject).end();
  });
}

describe('bad input', () => {
  const cases: readonly [string, number, string, string, CallOptions][] = [
    ['JSON that is none', 400, 'JSON_MALFORMED', '/v1/projects', { text: '{"request":' }],
    ['an empty body', 400, 'JSON_MALFORMED', '/v1/projects', { text: '' , method: 'POST' }],
    ['bytes that are not UTF-8', 400, 'JSON_MALFORMED', '/v1/projects', { text: Buffer.from([0x22, 0xff, 0x22]) }],
    ['deep JSON', 400, 'JSON_TOO_DEEP', '/v1/projects', { text: `{"request":"abc","x":${deep}}` }],
    ['__proto__', 400, 'JSON_FORBIDDEN_KEY', '/v1/projects', { text: '{"request":"abc","__proto__":{"admin":true}}' }],
    ['U+0000', 400, 'TEXT_HAS_NUL', '/v1/projects', { body: { request: 'a\u0000bc' } }],
    ['a huge body', 413, 'JSON_TOO_LARGE', '/v1/projects', { text: `"${'a'.repeat(1_000_001)}"` }],
    ['another type', 415, 'CONTENT_TYPE_UNSUPPORTED', '/v1/projects', { text: 'a=1', headers: { 'content-type': 'text/plain' } }],
    ['a compressed body', 415, 'CONTENT_TYPE_UNSUPPORTED', '/v1/projects', { text: 'x', headers: { 'content-encoding': 'gzip' } }],
    ['an oversized text', 422, 'TEXT_TOO_LONG', '/v1/projects', { body: { request: 'a'.repeat(20_001) } }],
    ['an unknown key', 422, 'BODY_INVALID', '/v1/projects', { body: { ...start, colour: 'red' } }],
    ['a body that is a list', 422, 'BODY_INVALID', '/v1/projects', { text: '[]' }],
    ['an unknown command', 422, 'BODY_INVALID', '/v1/projects/x/commands', { body: { command: 'DANCE' } }],
    ['an unknown status', 400, 'QUERY_INVALID', '/v1/projects?status=nice', {}],
    ['a limit of 0', 400, 'QUERY_INVALID', '/v1/projects?limit=0', {}],
    ['a parameter twice', 400, 'QUERY_INVALID', '/v1/projects?mode=a&mode=b', {}],
    ['a label without a value', 400, 'QUERY_INVALID', '/v1/projects?label=team', {}],
    ['U+0000 in a query', 400, 'QUERY_INVALID', '/v1/projects?label=team:%00', {}],
    ['an id of an event that is none', 400, 'QUERY_INVALID', `/v1/projects/${newId()}/events`, { headers: { accept: 'text/event-stream', 'last-event-id': 'x' } }],
    ['a checkpoint that is no number', 400, 'PATH_INVALID', '/v1/projects/x/checkpoints/latest', {}],
    ['a broken address', 400, 'URL_MALFORMED', '/v1/projects/%E0%A4%A', {}],
    ['an unknown project', 404, 'PROJECT_NOT_FOUND', `/v1/projects/${newId()}`, {}],
    ['an unknown project, streamed', 404, 'PROJECT_NOT_FOUND', `/v1/projects/x/events`, { headers: { accept: 'text/event-stream' } }],
    ['an unknown machine', 404, 'MACHINE_NOT_FOUND', '/v1/machines/toaster', {}],
    ['an unknown address', 404, 'ROUTE_NOT_FOUND', '/v1/nothing', {}],
    ['an unknown API key', 404, 'API_KEY_NOT_FOUND', '/v1/api-keys/x', { method: 'DELETE' }],
    ['another method', 405, 'METHOD_NOT_ALLOWED', '/v1/projects', { method: 'DELETE' }],
    ['a key that has expired before it is made', 422, 'EXPIRY_PAST', '/v1/api-keys', { body: { name: 'x', principal: 'service', scopes: ['admin'], expiresAt: '2020-01-01T00:00:00Z' } }],
    ['an Idempotency-Key with spaces', 400, 'IDEMPOTENCY_KEY_INVALID', '/v1/projects', { body: start, headers: { 'idempotency-key': 'a b' } }],
    ['a database that is away', 503, 'STORE_AWAY', '/v1/projects/x/checkpoints/verify', { method: 'POST' }],
  ]; // prettier-ignore

  it.each(cases)('%s is %i %s', async (_what, status, code, path, options) => {
    const answer = await world.call(path, options);
    expect(answer.json).toMatchObject({ status, code });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer.json.detail).toMatch(/\w+ \w+/);
    expect(answer.json.instance).toBe(answer.headers.get('x-request-id'));
  });

  it('tells everything that is wrong with a body at once', async () => {
    const { json } = await world.call('/v1/projects', { body: { request: 'a', budget: { usd: 'much' } } });
    expect(json.issues?.map((issue) => issue.path)).toEqual(['request', 'budget.usd']);
  });

  it('says what is allowed for another method, and when to come back to a database that is away', async () => {
    expect((await world.call('/v1/projects', { method: 'DELETE' })).headers.get('allow')).toBe('POST, GET');
    const away = await world.call('/v1/projects/x/checkpoints/verify', { method: 'POST' });
    expect(away.headers.get('retry-after')).toBe('1');
    expect(away.text).not.toContain('10.0.0.1');
  });

  it('says when to come back to a project that is told too much', () => {
    const error = new UserError('STEERED_TOO_FAST', 'wait 7 s', { perMinute: 120, retryAfterS: 7 });
    const { problem, headers } = problemOf(error, { requestId: 'r', isRead: false, isKeyed: true });
    expect([problem.status, headers]).toEqual([429, { 'Retry-After': '7' }]);
  });

  it('tells nothing from inside about a fault of ours, and logs it under the id it gives', async () => {
    const { json, text } = await world.call('/v1/projects/x/checkpoints/3/fork', { method: 'POST' });
    expect(json).toMatchObject({ status: 500, code: 'INTERNAL' });
    expect(text).not.toContain('secret of the house');
    const line = world.logged.find((one) => one.includes('secret of the house'));
    expect(line).toContain(json.instance);
  });

  it.each([
    [{ host: 'evil.example' }, 403, 'HOST_NOT_ALLOWED'],
    [{ host: 'localhost.evil.example:80' }, 403, 'HOST_NOT_ALLOWED'],
    [{ host: 'localhost:3000', origin: 'http://evil.example' }, 403, 'ORIGIN_NOT_ALLOWED'],
    [{ host: 'localhost:3000', origin: 'http://localhost:4000' }, 403, 'ORIGIN_NOT_ALLOWED'],
    [{ host: 'localhost:3000', origin: 'null' }, 403, 'ORIGIN_NOT_ALLOWED'],
    [{ host: 'localhost:3000', origin: 'http://localhost:3000' }, 200, undefined],
    [{ host: '[::1]:3000' }, 200, undefined],
    [{ host: '127.0.0.1' }, 200, undefined],
    [{ host: 'QRALPH.example:8080' }, 200, undefined],
  ])('of the headers %j is %i', async (headers, status, code) => {
    expect(await withHeaders(headers as unknown as Record<string, string>)).toEqual({ status, code });
  });
});
