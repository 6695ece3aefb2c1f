import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LiveProcess } from '#contracts';
import { newId } from '#kernel';
import { type HttpWorld, httpWorld } from './fixtures/http-world.js';
import { projectNamed } from './fixtures/memory-ports.js';

const project = projectNamed(newId());
const process = (projectId: string): LiveProcess => ({
  projectId, purpose: 'verify', host: 'here', workerId: 'w', pid: 7, group: 7, startedAt: '2026-01-02T03:04:05.678Z',
  status: 'running', tree: [{ pid: 7, parent: 1, command: 'npm test', rssBytes: 4096 }],
}); // prettier-ignore
const all = [process(project.id), process(newId())];

let world: HttpWorld;
beforeAll(async () => {
  const list = (id?: string) => Promise.resolve(all.filter(({ projectId }) => id === undefined || projectId === id));
  world = await httpWorld({ processes: { list } });
  world.projects.add(project);
});
afterAll(() => world.close());

describe('what runs', () => {
  it('is listed over all projects, and of one', async () => {
    expect((await world.call('/v1/processes')).json).toEqual({ data: all, nextCursor: null });
    expect((await world.call(`/v1/projects/${project.id}/processes`)).json).toEqual({
      data: [all[0]],
      nextCursor: null,
    });
  });

  it('is not found of a project that there is not', async () => {
    expect(await world.call('/v1/projects/nobody/processes')).toMatchObject({
      status: 404,
      json: { code: 'PROJECT_NOT_FOUND' },
    });
  });

  it('is for who may read projects', async () => {
    const key = await world.key('service', ['gates:decide']);
    expect((await world.call('/v1/processes', { key })).status).toBe(403);
    expect((await world.call('/v1/processes', { key: null })).status).toBe(401);
  });
});
