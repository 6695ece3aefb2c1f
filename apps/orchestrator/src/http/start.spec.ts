import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WorldError } from '#kernel';
import { httpWorld, type HttpWorld } from './fixtures/http-world.js';

let world: HttpWorld;
beforeAll(async () => {
  world = await httpWorld();
});
afterAll(() => world.close());

const body = { request: 'Do something', mode: 'drill', labels: { team: 'web' } };
const keyed = (key: string) => ({ 'idempotency-key': key });

describe('starting a project', () => {
  it('is answered with 202, the project and where it is', async () => {
    const { status, json, headers } = await world.call('/v1/projects', { body });
    expect(status).toBe(202);
    expect(json).toMatchObject({ request: 'Do something', status: 'running' });
    expect(headers.get('location')).toBe(`/v1/projects/${String(json['id'])}`);
  });

  it('twice under one Idempotency-Key is starting it once, whatever the order of the keys in the body', async () => {
    const first = await world.call('/v1/projects', { body, headers: keyed('k1') });
    const again = { labels: { team: 'web' }, mode: 'drill', request: 'Do something' };
    const second = await world.call('/v1/projects', { body: again, headers: keyed('k1') });
    expect(second.status).toBe(202);
    expect(second.json).toEqual(first.json);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  it('is another project for another caller under the same Idempotency-Key', async () => {
    const mine = await world.call('/v1/projects', { body, headers: keyed('k2') });
    const theirs = await world.call('/v1/projects', { body, headers: keyed('k2'), key: await world.key('service') });
    expect(theirs.json['id']).not.toBe(mine.json['id']);
  });

  it('under a used key with another body is 422, and while the first is under way 409', async () => {
    await world.call('/v1/projects', { body, headers: keyed('k3') });
    const other = await world.call('/v1/projects', { body: { ...body, request: 'Else' }, headers: keyed('k3') });
    expect(other.json).toMatchObject({ status: 422, code: 'IDEMPOTENCY_MISMATCH' });
    for (const row of world.idempotency.rows.values()) delete row.answer;
    const early = await world.call('/v1/projects', { body, headers: keyed('k3') });
    expect(early.json).toMatchObject({ status: 409, code: 'IDEMPOTENCY_IN_FLIGHT' });
    expect(early.headers.get('retry-after')).toBe('1');
  });

  it('that fails leaves its key free, and a crash before the answer was kept gives the same project again', async () => {
    const bad = await world.call('/v1/projects', { body: { request: 'a' }, headers: keyed('k4') });
    expect(bad.status).toBe(422);
    const first = await world.call('/v1/projects', { body, headers: keyed('k4') });
    expect(first.status).toBe(202);
    world.idempotency.rows.clear();
    const second = await world.call('/v1/projects', { body, headers: keyed('k4') });
    expect(second.json['id']).toBe(first.json['id']);
  });

  it('is in the figures by its route, never by a path', async () => {
    await world.call('/v1/projects/some-project');
    const { text, headers } = await world.call('/metrics');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toContain('qralph_http_requests_total{method="POST",route="/v1/projects",status="202"}');
    expect(text).toContain('route="/v1/projects/:id",status="404"');
    expect(text).not.toContain('some-project');
  });

  it('goes on with the trace of the request, or begins one', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const traced = await world.call('/v1/projects', { body, headers: { traceparent } });
    expect(traced.json['traceId']).toBe('0af7651916cd43dd8448eb211c80319c');
    expect((await world.call('/v1/projects', { body })).json['traceId']).toMatch(/^[0-9a-f]{32}$/);
  });

  it('keeps the id a client gives its request, and puts it into the log with the trace', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { headers } = await world.call('/v1/projects', { headers: { 'x-request-id': 'mine-1', traceparent } });
    expect(headers.get('x-request-id')).toBe('mine-1');
    await expect
      .poll(() => world.logged.find((line) => line.includes('mine-1')))
      .toContain('0af7651916cd43dd8448eb211c80319c');
  });
});

describe('a database that got it and could not say so', () => {
  /** Does what is asked, and loses the answer. */
  const loseOneAnswer = (): void => {
    const { start } = world.projects;
    vi.spyOn(world.projects, 'start').mockImplementationOnce(async (...asked) => {
      await start(...asked);
      throw new WorldError('ANSWER_LOST', 'read ECONNRESET 10.0.0.1');
    });
  };

  it('leaves it open what was done, and tells a caller without an Idempotency-Key to look before it asks again', async () => {
    loseOneAnswer();
    const { status, json, headers, text } = await world.call('/v1/projects', { body });
    expect(status).toBe(503);
    expect(json.code).toBe('ANSWER_LOST');
    expect(json.detail).toMatch(/may be done or not.*look with GET/);
    expect(text).not.toMatch(/nothing is lost|10\.0\.0\.1/i);
    // Clients that obey Retry-After would ask for a second project.
    expect(headers.get('retry-after')).toBeNull();
  });

  it('lets the same request come again under its Idempotency-Key, which is then done once', async () => {
    loseOneAnswer();
    const before = world.projects.projects.size;
    const lost = await world.call('/v1/projects', { body, headers: keyed('k5') });
    expect(lost.json).toMatchObject({ status: 503, code: 'ANSWER_LOST' });
    expect(lost.json.detail).toMatch(/may be done or not.*again under the same Idempotency-Key/);
    expect(lost.headers.get('retry-after')).toBe('1');
    expect((await world.call('/v1/projects', { body, headers: keyed('k5') })).status).toBe(202);
    expect(world.projects.projects.size).toBe(before + 1);
  });

  it('lets anybody look again: nothing was to be done', async () => {
    vi.spyOn(world.projects, 'list').mockRejectedValueOnce(new WorldError('ANSWER_LOST', 'read ECONNRESET'));
    const { json, headers } = await world.call('/v1/projects');
    expect(json).toMatchObject({ status: 503, code: 'ANSWER_LOST' });
    expect(json.detail).toContain('Nothing is lost; send the same request again');
    expect(headers.get('retry-after')).toBe('1');
  });

  it('lets a request come again that ended before it was begun', async () => {
    vi.spyOn(world.idempotency, 'begin').mockRejectedValueOnce(new WorldError('ANSWER_LOST', 'read ECONNRESET'));
    const { json } = await world.call('/v1/projects', { body, headers: keyed('k6') });
    expect(json.detail).toContain('again under the same Idempotency-Key');
  });
});

describe('readiness', () => {
  it('is 503 with what is missing', async () => {
    const unready = await httpWorld({
      readiness: { check: () => Promise.resolve({ database: { ok: true }, queue: { ok: false, detail: 'away' } }) },
    });
    const answer = await unready.call('/health/ready', { key: null });
    await unready.close();
    expect(answer.status).toBe(503);
    expect(answer.json).toMatchObject({ status: 'not-ready', checks: { queue: { ok: false, detail: 'away' } } });
  });
});
