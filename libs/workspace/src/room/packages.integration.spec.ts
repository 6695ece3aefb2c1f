import { afterEach, describe, expect, it } from 'vitest';
import { npmProject } from '../setup/npm-project.fixture.js';
import type { Files } from '../setup/setup.fixture.js';
import { openRoomWorld } from './clean-room.fixture.js';

const PATH = process.env['PATH'] ?? '/usr/bin:/bin';

/** The same files below a folder. */
const below = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]));

const TEST = "const { test } = require('node:test');\nconst one = require('@mono/one');\ntest(one, () => {});\n";
const member = (name: string): string =>
  JSON.stringify({ name: `@mono/${name}`, version: '1.0.0', main: 'index.js', scripts: { test: 'node --test' } });

/** An npm workspace of two packages. Its root has no test script. */
const WORKSPACE: Files = {
  '.gitignore': 'node_modules\n',
  'package.json': JSON.stringify({ name: 'mono', private: true, workspaces: ['packages/*'] }),
  'package-lock.json': JSON.stringify({
    name: 'mono',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'mono', workspaces: ['packages/*'] },
      'node_modules/@mono/one': { resolved: 'packages/one', link: true },
      'node_modules/@mono/two': { resolved: 'packages/two', link: true },
      'packages/one': { name: '@mono/one', version: '1.0.0' },
      'packages/two': { name: '@mono/two', version: '1.0.0' },
    },
  }),
  'packages/one/package.json': member('one'),
  'packages/one/index.js': "module.exports = 'one';\n",
  'packages/one/one.test.js': TEST,
  'packages/two/package.json': member('two'),
  'packages/two/two.test.js': TEST,
};

describe('a repository whose root has no tests', () => {
  let world: Awaited<ReturnType<typeof openRoomWorld>>;
  afterEach(() => world.remove());

  const verify = async (files: Files) => {
    world = await openRoomWorld(PATH, files);
    await world.setUp({});
    const clean = { tree: { commit: world.worktree.baseCommit }, commands: null };
    const { commands, notSetUp = [] } = await world.workshop.verifyClean(world.worktree, {}, clean, world.parts.run);
    const ends = commands.map(
      ({ command, exitCode, counts }) => `${command}: ${String(exitCode)}, ${String(counts?.passed)}`,
    );
    return [...ends, ...notSetUp.map((folder) => `not set up: ${folder}`)];
  };

  it('is verified by the tests of its workspace members', async () => {
    expect(await verify(WORKSPACE)).toEqual(['cd packages/one && npm test: 0, 1', 'cd packages/two && npm test: 0, 1']);
  });

  it('sets packages with lock files up, and goes on if one of them cannot be set up', async () => {
    const good = await npmProject({ test: 'node --test' });
    const broken = { ...good, 'package-lock.json': '{}' };
    const files = { '.gitignore': 'node_modules\n', ...below('good', good), ...below('packages/broken', broken) };
    expect(await verify(files)).toEqual([
      'cd good && npm test: 0, 2',
      expect.stringMatching(/^cd packages\/broken && npm test: 1, /),
      'not set up: packages/broken',
    ]);
  });
});

describe('a repository whose root has tests', () => {
  let world: Awaited<ReturnType<typeof openRoomWorld>>;
  afterEach(() => world.remove());

  it('has its packages with lock files set up too, so that the tests of a touched one can run', async () => {
    const root = { 'package.json': '{"scripts":{"test":"node --test test/"}}', 'test/a.test.js': '' };
    const files = {
      '.gitignore': 'node_modules\n',
      ...root,
      ...below('frontend', await npmProject({ test: 'node --test' })),
    };
    world = await openRoomWorld(PATH, files);
    await world.setUp({});
    const commands = await world.workshop.commandsOfPackages(world.worktree, {}, ['frontend/a.js']);
    expect(commands).toEqual(['cd frontend && npm test']);
    const { verdict, counts } = await world.verify({}, {}, ...commands);
    expect([verdict, counts?.passed]).toEqual(['passed', 2]);
    expect(await world.sayInWorktree('ls frontend/node_modules')).toContain('tiny');
  });
});
