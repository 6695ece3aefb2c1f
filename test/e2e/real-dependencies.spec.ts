import { execFile } from 'node:child_process';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byTurn } from '#testing';
import { ErrandServer } from './errand-helpers.js';
import { ErrandWorld, gitIn } from './errand-world.js';

const run = promisify(execFile);

const MANIFEST = {
  name: 'hello-server', private: true, type: 'module', scripts: { test: 'node --test' }, dependencies: { express: '5.1.0' },
}; // prettier-ignore

const APP = `import express from 'express';
export const app = express();
app.get('/', (_request, response) => response.send('hello'));
`;

const TEST = `import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { app } from './app.js';

test('says hello', async () => {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await fetch('http://127.0.0.1:' + server.address().port);
  assert.equal(await answer.text(), 'hello');
  server.close();
});
`;

/** Adds a file and finishes: what is shown here is the ground it stands on. */
const WORK = [
  { toolCalls: [{ name: 'write_file', input: { path: 'NOTES.md', content: 'hello\n' } }] },
  { toolCalls: [{ name: 'finish', input: { summary: 'notes' } }] },
];

/** A small Express project with a lock file; its dependencies come from the registry as this machine has it set up. */
async function makeExpressProject(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify(MANIFEST));
  await writeFile(join(folder, 'app.js'), APP);
  await writeFile(join(folder, 'app.test.js'), TEST);
  await writeFile(join(folder, '.gitignore'), 'node_modules/\n');
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });
  await gitIn(folder, 'init', '-q', '-b', 'main');
  await gitIn(folder, 'add', '-A');
  await gitIn(folder, '-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-q', '-m', 'A server');
}

describe('a repository with real dependencies', () => {
  let world: ErrandWorld;
  let repo: string;
  beforeAll(async () => {
    world = await ErrandWorld.open();
    new ErrandServer(world.server, { proof: 'reads' }).use(byTurn(WORK));
    repo = join(world.folder.path, 'hello-server');
    await makeExpressProject(repo);
  });
  afterAll(() => world.close());

  const setUpOf = async (id: string): Promise<string> => {
    const told = (await world.api.events(id)).find(({ type }) => type === 'workspace.set-up');
    return (told?.data as { how: string }).how;
  };
  const verdictsOf = async (id: string): Promise<unknown[]> =>
    (await world.api.events(id)).filter(({ type }) => type === 'workspace.verified').map(({ data }) => data);

  it('is set up with the dependencies of the user’s checkout, without network, and verified in the sandbox', async () => {
    await world.service.kill('SIGTERM');
    await world.restart({}, { QRALPH_SETUP_NETWORK: 'off' });
    const before = await stat(join(repo, 'node_modules', 'express', 'package.json'));
    const { id } = await world.start(repo);
    const ended = await world.api.untilStatus(id, 'completed', 120_000);
    expect(await setUpOf(id)).toMatch(/^node_modules brought in by (reflink|hard-link|copy)$/);
    expect(await verdictsOf(id)).toMatchObject([
      { verdict: 'passed', passed: 1 },
      { verdict: 'passed', passed: 1, sandbox: ended.workspace?.sandbox },
    ]);
    const after = await stat(join(repo, 'node_modules', 'express', 'package.json'));
    expect([after.ino, after.mtimeMs, after.nlink]).toEqual([before.ino, before.mtimeMs, before.nlink]);
    expect(await gitIn(repo, 'status', '--porcelain')).toBe('');
  });

  it('is set up from the registry where the checkout has none, in the sandbox, with network for set-up alone', async () => {
    await rm(join(repo, 'node_modules'), { recursive: true });
    await world.service.kill('SIGTERM');
    await world.restart({}, { QRALPH_SETUP_NETWORK: 'on' });
    const { id } = await world.start(repo);
    await world.api.untilStatus(id, 'completed', 180_000);
    expect(await setUpOf(id)).toBe('npm ci');
    expect(await verdictsOf(id)).toMatchObject([{ verdict: 'passed' }, { verdict: 'passed', passed: 1 }]);
  });

  it('is blocked with npm’s words where there is neither', async () => {
    await world.service.kill('SIGTERM');
    await world.restart({}, { QRALPH_SETUP_NETWORK: 'off' });
    const { id } = await world.start(repo);
    await world.api.untilStatus(id, 'blocked', 180_000);
    expect(await setUpOf(id)).toContain('set-up failed (without network, by the configuration of this server): npm ci');
    await world.api.command(id, 'ABORT');
    await world.api.untilStatus(id, 'aborted');
  });
});
