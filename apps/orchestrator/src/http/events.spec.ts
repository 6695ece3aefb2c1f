import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '#kernel';
import { EventStreams } from './events/event-streams.js';
import { httpWorld, type HttpWorld } from './fixtures/http-world.js';
import { projectNamed } from './fixtures/memory-ports.js';
import { SseReader } from './fixtures/sse-reader.js';

let world: HttpWorld;
let key: string;
beforeEach(async () => {
  world = await httpWorld();
  key = await world.key('service', ['projects:read']);
});
afterEach(async () => {
  vi.useRealTimers();
  await world.close();
});

const upTo = (count: number, from = 1): number[] => Array.from({ length: count }, (_, nth) => nth + from);
const open = (id: string, headers: Record<string, string> = {}, query = ''): Promise<SseReader> =>
  SseReader.open(`${world.url}/v1/projects/${id}/events${query}`, { authorization: `Bearer ${key}`, ...headers });

describe('events', () => {
  it('come as a page after a sequence number', async () => {
    const { id } = world.projects.add(projectNamed(newId()), 5);
    const { json } = await world.call(`/v1/projects/${id}/events?after=2&limit=2`);
    expect((json['data'] as { seq: number }[]).map((event) => event.seq)).toEqual([3, 4]);
  });

  it('come as a stream, old and new, that ends with the project', async () => {
    const { id } = world.projects.add(projectNamed(newId()), 450);
    const reader = await open(id);
    expect(reader.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(reader.response.headers.get('x-accel-buffering')).toBe('no');
    await expect.poll(() => reader.ids.length).toBe(450);
    world.projects.happen(id, 3);
    await expect.poll(() => reader.ids.length).toBe(453);
    world.projects.happen(id, 1);
    world.projects.ended.add(id);
    await reader.ended;
    expect(reader.ids).toEqual(upTo(454));
    expect(reader.messages[0]).toMatchObject({ event: 'tick', data: { seq: 1, type: 'tick' } });
  });

  it('resume after Last-Event-ID without loss or repeat, which goes before ?after', async () => {
    const { id } = world.projects.add(projectNamed(newId()), 10);
    world.projects.ended.add(id);
    const resumed = await open(id, { 'last-event-id': '7' }, '?after=2');
    await resumed.ended;
    expect(resumed.ids).toEqual([8, 9, 10]);
    const after = await open(id, {}, '?after=8');
    await after.ended;
    expect(after.ids).toEqual([9, 10]);
  });

  it('are over for a client that comes back with the last one: 204 tells it to stay away', async () => {
    const { id } = world.projects.add(projectNamed(newId()), 3);
    world.projects.ended.add(id);
    expect((await open(id, { 'last-event-id': '3' })).response.status).toBe(204);
  });

  it('reach many readers of many projects by one look at the store', async () => {
    const ids = upTo(20).map(() => world.projects.add(projectNamed(newId()), 1).id);
    const readers = await Promise.all([...ids, ...ids, ...ids].map((id) => open(id)));
    const before = world.projects.looks;
    const startedAt = performance.now();
    for (const id of ids) world.projects.happen(id, 1);
    await expect.poll(() => readers.every((reader) => reader.ids.length === 2)).toBe(true);
    const looksPerSecond = ((world.projects.looks - before) * 1_000) / (performance.now() - startedAt);
    expect(looksPerSecond).toBeLessThan(30);
    for (const reader of readers) reader.leave();
    await expect.poll(async () => (await world.call('/metrics')).text).toContain('qralph_event_streams 0');
  });

  it('wait for a slow reader instead of piling up for it', async () => {
    const { id } = world.projects.add(projectNamed(newId()));
    world.projects.happen(id, 4_000, { text: 'x'.repeat(10_000) });
    world.projects.ended.add(id);
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${key}` };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${world.url}/v1/projects/${id}/events`, { headers }, resolve).on('error', reject);
    });
    response.pause();
    const { looks } = world.projects;
    await expect.poll(() => world.projects.looks, { timeout: 5_000 }).toBeGreaterThan(looks + 5);
    expect(world.projects.pages).toBeLessThan(10);
    let text = '';
    for await (const chunk of response as AsyncIterable<Buffer>) text += chunk.toString();
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
    expect(ids).toEqual(upTo(4_000));
  });

  it('go on where they were after the store was away', async () => {
    const { id } = world.projects.add(projectNamed(newId()), 2);
    const reader = await open(id);
    await expect.poll(() => reader.ids.length).toBe(2);
    const away = vi.spyOn(world.projects, 'heads').mockRejectedValue(new Error('away'));
    await expect.poll(() => away.mock.calls.length).toBeGreaterThan(0);
    world.projects.happen(id, 2);
    away.mockRestore();
    world.projects.ended.add(id);
    await reader.ended;
    expect(reader.ids).toEqual([1, 2, 3, 4]);
  });

  it('end cleanly when the service stops', async () => {
    const { id } = world.projects.add(projectNamed(newId()), 1);
    const reader = await open(id);
    await expect.poll(() => reader.ids.length).toBe(1);
    const startedAt = performance.now();
    await world.close();
    await reader.ended;
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    world = await httpWorld();
  });

  it('are refused to a reader that comes while the service stops', async () => {
    const { id } = world.projects.add(projectNamed(newId()), 1);
    await world.app.get(EventStreams).onModuleDestroy();
    const headers = { accept: 'text/event-stream' };
    const late = await world.call(`/v1/projects/${id}/events`, { headers });
    expect(late.json).toMatchObject({ status: 503, code: 'SHUTTING_DOWN' });
    expect(late.headers.get('retry-after')).toBe('1');
    expect((await world.call(`/v1/projects/${id}/events`)).status).toBe(200);
  });

  it('are refused to one reader too many, until another leaves', async () => {
    await world.close();
    world = await httpWorld({ mostStreams: 2 });
    key = await world.key('service', ['projects:read']);
    const { id } = world.projects.add(projectNamed(newId()), 1);
    const [first] = [await open(id), await open(id)];
    const headers = { accept: 'text/event-stream' };
    const refused = await world.call(`/v1/projects/${id}/events`, { headers });
    expect(refused.json).toMatchObject({ status: 503, code: 'TOO_MANY_STREAMS' });
    expect(refused.json.detail).toContain('read pages instead');
    expect(refused.headers.get('retry-after')).toBe('1');
    first.leave();
    await expect.poll(async () => (await open(id)).response.status).toBe(200);
  });

  it('are kept alive by a comment every 15 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { id } = world.projects.add(projectNamed(newId()), 0);
    const reader = await open(id);
    vi.advanceTimersByTime(15_000);
    vi.useRealTimers();
    await expect.poll(() => reader.comments).toEqual([': still here']);
    reader.leave();
  });
});
