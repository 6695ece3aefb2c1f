import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { allowedRepository } from '../allowed-repository.js';
import { newWorld, type World, writeFiles } from './worktree.fixture.js';

let world: World;
beforeEach(() => {
  world = newWorld(process.env['PATH']);
});
afterEach(() => world.remove());

it('allows a worktree of the user’s where its repository is allowed too, and refuses it where that is elsewhere', async () => {
  const inside = join(world.folder, 'inside');
  world.git('worktree', 'add', '-q', join(inside, 'other'), '-b', 'mine');
  expect(await allowedRepository(join(inside, 'other'), [world.folder])).toBe(join(inside, 'other'));
  await expect(allowedRepository(join(inside, 'other'), [inside])).rejects.toMatchObject({ code: 'REPO_NOT_ALLOWED' });
  expect(await allowedRepository(world.repo, [world.repo])).toBe(world.repo);
});

it('refuses a .git folder that names the folder of a repository elsewhere as its own', async () => {
  const inside = join(world.folder, 'inside');
  writeFiles(inside, { '.git/HEAD': 'ref: refs/heads/main\n', '.git/commondir': '../../repo/.git\n' });
  expect(await allowedRepository(inside, [world.folder])).toBe(inside);
  await expect(allowedRepository(inside, [inside])).rejects.toMatchObject({ code: 'REPO_NOT_ALLOWED' });
});

it('refuses a bare repository before anything begins', async () => {
  const bare = join(world.folder, 'bare');
  world.git('clone', '-q', '--bare', world.repo, bare);
  await expect(allowedRepository(bare, [world.folder])).rejects.toMatchObject({ code: 'REPO_BARE' });
});

it('refuses a folder whose .git points nowhere', async () => {
  writeFiles(world.folder, { 'odd/.git': 'gitdir: ../nowhere\n' });
  await expect(allowedRepository(join(world.folder, 'odd'), [world.folder])).rejects.toMatchObject({
    code: 'REPO_BROKEN',
  });
});
