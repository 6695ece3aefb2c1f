import { chmodSync, linkSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { giveRightsBack } from './tame-folder.js';
import { newWorld, type World, writeFiles } from './worktree.fixture.js';
import type { Worktree } from './worktree.port.js';

describe("dependencies that are the user's own files under a second name", () => {
  let world: World;
  let worktree: Worktree;
  beforeEach(async () => {
    world = newWorld(process.env['PATH']);
    worktree = await world.open();
    mkdirSync(join(worktree.folder, 'node_modules/one'), { recursive: true });
    writeFileSync(users(), 'x');
    chmodSync(users(), 0o444);
    linkSync(users(), join(worktree.folder, 'node_modules/one/index.js'));
    writeFiles(worktree.folder, { 'locked/file': 'x', 'node_modules/one/own.js': 'x' });
    chmodSync(join(worktree.folder, 'locked/file'), 0o000);
    chmodSync(join(worktree.folder, 'node_modules/one/own.js'), 0o000);
    chmodSync(join(worktree.folder, 'locked'), 0o000);
  });
  afterEach(() => world.remove());

  const users = (): string => join(world.folder, 'users.js');
  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  it('keep their rights when all that is the worktree’s own gets them back', async () => {
    await giveRightsBack(worktree.folder);
    expect(modeOf(users())).toBe(0o444);
    expect(modeOf(join(worktree.folder, 'locked'))).toBe(0o700);
    expect(modeOf(join(worktree.folder, 'locked/file'))).toBe(0o600);
    expect(modeOf(join(worktree.folder, 'node_modules/one/own.js'))).toBe(0o600);
  });

  it('keep their rights through snapshots, resets and removal', async () => {
    const snapshot = await world.worktrees.snapshot(worktree);
    expect(world.git('ls-tree', '-r', '--name-only', snapshot)).toContain('locked/file');
    expect(modeOf(users())).toBe(0o444);
    for (const folder of ['locked', 'node_modules/one']) chmodSync(join(worktree.folder, folder), 0o000);
    await world.worktrees.reset(worktree, worktree.baseCommit);
    expect(modeOf(users())).toBe(0o444);
    chmodSync(join(worktree.folder, 'node_modules'), 0o000);
    await world.worktrees.remove(worktree);
    expect(modeOf(users())).toBe(0o444);
  });
});
