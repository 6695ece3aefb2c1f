import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Capabilities } from '#contracts';
import { tempFolder, type TempFolder } from '#testing';
import { FoundCapabilities } from '../desk/capability-reads.js';
import { type HttpWorld, httpWorld } from './fixtures/http-world.js';

const AGENT = (name: string): string => `---\nname: ${name}\ndescription: Reviews.\n---\nThe instructions.\n`;

let folder: TempFolder;
let repo: string;
let world: HttpWorld;
const ask = (path: string, key?: string | null) =>
  world.call(`/v1/capabilities?repo=${encodeURIComponent(path)}`, key === undefined ? {} : { key });

beforeAll(async () => {
  folder = tempFolder('capabilities');
  const root = realpathSync(folder.path);
  repo = join(root, 'roots', 'repo');
  const files = {
    'roots/repo/.claude/agents/own.md': AGENT('own'),
    'roots/repo/.claude/agents/odd.md': 'nothing',
    'roots/repo/.claude/skills/knack/SKILL.md': AGENT('knack'),
    'roots/repo/.claude-plugin/plugin.json': '{"name":"kit"}',
    'roots/plain/file': '',
    'mine/agents/of-mine.md': AGENT('of-mine'),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  execFileSync('git', ['init', '-q', repo]);
  execFileSync('git', ['init', '-q', join(root, 'mine')]);
  const config = { repoRoots: [join(root, 'roots')], agentsDir: join(root, 'mine') };
  world = await httpWorld({ capabilities: new FoundCapabilities(config) });
});
afterAll(async () => {
  await world.close();
  await folder.remove();
});

describe('capabilities', () => {
  it('are those of the repository, of the user and of the service, with what was odd', async () => {
    const { status, json, text } = await ask(repo);
    expect(status).toBe(200);
    const { agents, skills, plugins, diagnostics, ...rest } = Capabilities.parse(json);
    expect(rest).toEqual({ repo });
    const sources = agents.map(({ name, source }) => `${source} ${name}`);
    expect(sources).toEqual(expect.arrayContaining(['repository own', 'user of-mine', 'built-in security-reviewer']));
    const knacks = skills.map(({ name, source }) => `${source} ${name}`);
    expect(knacks).toEqual(['built-in analysis', 'repository knack', 'built-in research', 'built-in writing']);
    expect(plugins).toMatchObject([{ name: 'kit' }]);
    expect(diagnostics).toMatchObject([{ level: 'skipped', path: '.claude/agents/odd.md' }]);
    expect(text).not.toContain('The instructions.');
  });

  it.each([
    ['outside of the roots', () => join(folder.path, 'mine'), 'REPO_NOT_ALLOWED'],
    ['by a way out of the roots', () => `${repo}/../../mine`, 'REPO_NOT_ALLOWED'],
    ['that is not there', () => join(folder.path, 'roots', 'nowhere'), 'REPO_NOT_FOUND'],
    ['that is no repository', () => join(folder.path, 'roots', 'plain'), 'REPO_NOT_GIT'],
    ['by a relative path', () => 'repo', 'REPO_PATH_INVALID'],
  ])('are refused of a folder %s', async (_, path, code) => {
    expect(await ask(path())).toMatchObject({ status: 422, json: { code } });
  });

  it.each(['', '?repo=', '?repo=%00', `?repo=/${'a'.repeat(4_100)}`, '?repo=/a&more=1', '?repo=/a&repo=/b'])(
    'cannot be asked for with %s',
    async (query) => {
      expect(await world.call(`/v1/capabilities${query}`)).toMatchObject({
        status: 400,
        json: { code: 'QUERY_INVALID' },
      });
    },
  );

  it('are for who may read projects', async () => {
    expect((await ask(repo, await world.key('service', ['gates:decide']))).status).toBe(403);
    expect((await ask(repo, null)).status).toBe(401);
  });
});
