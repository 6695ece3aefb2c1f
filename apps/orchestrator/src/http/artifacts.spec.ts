import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UserError } from '#kernel';
import { httpWorld, type HttpWorld } from './fixtures/http-world.js';
import { projectNamed } from './fixtures/memory-ports.js';

const FILES = ['SUMMARY.md', 'agent-outputs/implementer.md', 'checkpoints/latest.json'];
const modifiedAt = '2026-01-01T00:00:00.000Z';

let world: HttpWorld;
let asked: string[];
beforeAll(async () => {
  asked = [];
  world = await httpWorld({
    workspaces: {
      diff: () => Promise.reject(new UserError('WORKSPACE_NONE', 'there is none')),
      artifacts: () => Promise.resolve(FILES.map((name) => ({ name, bytes: 1, modifiedAt }))),
      artifact: (_project, name) => {
        asked.push(name);
        if (!FILES.includes(name)) return Promise.reject(new UserError('ARTEFACT_NOT_FOUND', `there is no ${name}`));
        return Promise.resolve({ name, bytes: 1, modifiedAt, encoding: 'utf8', content: 'x', cut: false });
      },
    },
  });
  world.projects.add(projectNamed('p'));
});
afterAll(() => world.close());

describe('a file that a project left', () => {
  it.each(FILES)(
    'is read under the name that it is listed by, with its slashes as they are or encoded: %s',
    async (name) => {
      for (const written of [name, encodeURIComponent(name)]) {
        const { status, json } = await world.call(`/v1/projects/p/artifacts/${written}`);
        expect([status, json['name']]).toEqual([200, name]);
      }
    },
  );

  it('is listed beside the others at the address without a name', async () => {
    for (const path of ['artifacts', 'artifacts/']) {
      expect((await world.call(`/v1/projects/p/${path}`)).json['data']).toHaveLength(FILES.length);
    }
  });

  it('is decoded once and looked up as it was written, whatever is in it', async () => {
    asked.length = 0;
    for (const written of ['a%252Fb', 'a//b', '%2e%2e%2fb', 'a/b/c/d']) {
      expect((await world.call(`/v1/projects/p/artifacts/${written}`)).json).toMatchObject({
        status: 404,
        code: 'ARTEFACT_NOT_FOUND',
      });
    }
    expect(asked).toEqual(['a%2Fb', 'a//b', '../b', 'a/b/c/d']);
  });

  it('has a name of at most 600 characters, slashes among them', async () => {
    asked.length = 0;
    const long = `deliverables/${'a/'.repeat(249)}b`;
    await world.call(`/v1/projects/p/artifacts/${long}`);
    expect(asked).toEqual([long]);
    const { json } = await world.call(`/v1/projects/p/artifacts/${'a/'.repeat(300)}b`);
    expect(json).toMatchObject({ status: 400, code: 'PATH_INVALID' });
  });

  it('takes no other method, and is one route in the figures', async () => {
    const { json } = await world.call('/v1/projects/p/artifacts/agent-outputs/x.md', { method: 'DELETE' });
    expect(json).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
    const { text } = await world.call('/metrics');
    expect(text).toContain('route="/v1/projects/:id/artifacts/*name",status="200"');
    expect(text).not.toContain('implementer');
  });
});
