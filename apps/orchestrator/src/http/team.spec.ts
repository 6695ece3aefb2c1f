import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Team } from '#contracts';
import { newId } from '#kernel';
import { httpWorld, type HttpWorld } from './fixtures/http-world.js';
import { projectNamed } from './fixtures/memory-ports.js';

const team: Team = { name: 'qralph-001-test', domains: ['ui'], members: [], status: 'working' };
const id = newId();
let world: HttpWorld;
beforeAll(async () => {
  const told =
    (list: string) =>
    (...asked: unknown[]) =>
      Promise.resolve({ data: [], nextCursor: JSON.stringify([list, ...asked]) });
  const lists = { tasks: told('tasks'), messages: told('messages'), findings: told('findings') };
  world = await httpWorld({ teams: { team: async () => team, ...lists, problems: told('problems') } });
  world.projects.add(projectNamed(id));
});
afterAll(() => world.close());

const asked = async (path: string): Promise<unknown> =>
  JSON.parse(String((await world.call(`/v1/projects/${id}/${path}`)).json['nextCursor']));

describe('what a team is and does', () => {
  it('is shown of a project', async () => {
    expect(await world.call(`/v1/projects/${id}/team`)).toMatchObject({ status: 200, json: team });
  });

  it.each(['tasks', 'messages', 'findings', 'problems'])('has pages of its %s', async (list) => {
    expect(await asked(list)).toEqual([list, id, { limit: 50 }]);
    expect(await asked(`${list}?limit=2&cursor=abc`)).toEqual([list, id, { limit: 2, cursor: 'abc' }]);
    expect(await world.call(`/v1/projects/${id}/${list}?limit=201`)).toMatchObject({ status: 400 });
  });

  it('has findings of one priority, where asked', async () => {
    expect(await asked('findings?priority=P0')).toEqual(['findings', id, { limit: 50, priority: 'P0' }]);
    expect(await world.call(`/v1/projects/${id}/findings?priority=P9`)).toMatchObject({ status: 400 });
    expect(await world.call(`/v1/projects/${id}/tasks?priority=P0`)).toMatchObject({ status: 400 });
  });

  it.each(['team', 'tasks', 'messages', 'findings', 'problems'])(
    'has no %s without a project or a right',
    async (of) => {
      expect(await world.call(`/v1/projects/no-such/${of}`)).toMatchObject({ status: 404 });
      const key = await world.key('human', ['gates:decide']);
      expect(await world.call(`/v1/projects/${id}/${of}`, { key })).toMatchObject({ status: 403 });
    },
  );

  it('says so where there is no team', async () => {
    const bare = await httpWorld();
    bare.projects.add(projectNamed(id));
    const answer = await bare.call(`/v1/projects/${id}/team`);
    await bare.close();
    expect(answer).toMatchObject({ status: 409, json: { code: 'TEAM_NONE' } });
  });
});
