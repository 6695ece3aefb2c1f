import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { npmProject } from '../setup/npm-project.fixture.js';
import { read, write } from '../setup/setup.fixture.js';
import { openRoomWorld } from './clean-room.fixture.js';

const PATH = process.env['PATH'] ?? '/usr/bin:/bin';

describe('set-up of the clean room', () => {
  let world: Awaited<ReturnType<typeof openRoomWorld>>;
  beforeEach(async () => {
    world = await openRoomWorld(PATH, await npmProject({ test: 'node --test' }));
    await world.setUp({});
  });
  afterEach(() => world.remove());

  it('is that of the worktree as long as manifests are the same', async () => {
    expect(await world.verify({}, {}, 'npm test')).toMatchObject({ verdict: 'passed', counts: { passed: 2 } });
    const commit = world.commit({ 'README.md': 'text' });
    expect(await world.verify({}, { commit }, 'npm test')).toMatchObject({ verdict: 'passed' });
    expect(world.setUps).toBe(1);
  });

  it('runs once more for each state of the manifests', async () => {
    const manifest = JSON.parse(read(world.worktree.folder, 'package.json')) as object;
    const commit = world.commit({ 'package.json': JSON.stringify({ ...manifest, description: 'changed' }) });
    for (const tree of [{ commit }, { commit }, {}, { commit }]) {
      expect(await world.verify({}, tree, 'npm test')).toMatchObject({ verdict: 'passed' });
    }
    expect(world.setUps).toBe(2);
    const overlays = [{ from: world.worktree.baseCommit, paths: ['package.json'] }];
    expect(await world.verify({}, { commit, overlays }, 'npm test')).toMatchObject({ verdict: 'passed' });
    expect(world.setUps).toBe(2);
  });

  it('fails if the change breaks it', async () => {
    const commit = world.commit({ 'package-lock.json': '{}' });
    const report = await world.verify({}, { commit }, 'npm test');
    expect(report).toMatchObject({
      verdict: 'failed',
      setupFailure: { reason: expect.stringContaining('npm ci') as string },
    });
    expect(await world.verify({}, {}, 'npm test')).toMatchObject({ verdict: 'passed' });
  });

  it('keeps dependencies read-only, and copies them if a run has to write there', async () => {
    const spoil = 'echo run > node_modules/tiny/index.js && echo run > node_modules/new.js';
    const report = await world.verify({}, {}, spoil, 'cat node_modules/tiny/index.js');
    expect(report.commands).toMatchObject([{ exitCode: 0 }, { output: 'run\n' }]);
    expect(await world.verify({}, {}, 'npm test')).toMatchObject({ verdict: 'passed' });
    expect(await world.say({}, 'ls node_modules/new.js || echo gone')).toContain('gone');
  });

  it('gives tools writable folders among dependencies, empty at each start', async () => {
    const command = 'ls -A node_modules/.cache node_modules/.vite | grep -v : ; echo x > node_modules/.cache/x';
    expect(await world.say({}, command)).toBe('');
    expect(await world.say({}, command)).toBe('');
  });

  it('is not visible to commands in the worktree', async () => {
    await world.verify({}, {}, 'true');
    expect(await world.sayInWorktree(`ls -A ${world.room} ${world.tree}`)).toContain('No such file');
  });

  it('lets projects run at once, and one project after the other', async () => {
    const other = await openRoomWorld(PATH, { 'a.txt': 'other\n' });
    try {
      await other.setUp({});
      const reports = await Promise.all([
        world.verify({}, {}, 'echo x > x; sleep 0.2; ls x'),
        world.verify({}, {}, 'ls x'),
        other.verify({}, {}, 'cat a.txt'),
      ]);
      expect(reports.map(({ commands }) => commands[0]?.exitCode)).toEqual([0, 2, 0]);
    } finally {
      await other.remove();
    }
  });
});

describe('a virtual environment in the clean room', () => {
  it('is that of the worktree, without what an agent wrote to it, and is made again for other requirements', async () => {
    const world = await openRoomWorld(PATH, { 'requirements.txt': '', '.gitignore': '.venv\n', 'lib.py': 'x = 1\n' });
    try {
      await world.setUp({});
      const where = '.venv/bin/python -c "import sys, lib; print(sys.prefix, lib.x)"';
      const venv = join(world.worktree.folder, '.venv');
      const [version = ''] = readdirSync(join(venv, 'lib'));
      write(join(venv, 'lib', version, 'site-packages'), { 'sitecustomize.py': 'print("agent")\n' });
      expect(await world.say({}, where)).toBe(`${venv} 1`);
      const commit = world.commit({ 'requirements.txt': '# none\n', 'lib.py': 'x = 2\n' });
      expect(await world.say({}, where, { commit })).toBe(`${venv} 2`);
      expect(await world.say({}, where)).toBe(`${venv} 1`);
      expect(world.setUps).toBe(2);
    } finally {
      await world.remove();
    }
  });
});
