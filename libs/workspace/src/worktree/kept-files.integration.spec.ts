import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkpoint, effectRun, newWorld, read, type World, writeFiles } from './worktree.fixture.js';
import type { Worktree } from './worktree.port.js';

const ODD = 'conf/[a] *#!.env';

/** `.gitignore` of the tree says more than any other ignore: here it wants the file in. */
describe.each(['!.env\n', '.env\n', ''])('files that were only brought along, where .gitignore says %j', (ignores) => {
  let world: World;
  let worktree: Worktree;
  beforeEach(async () => {
    world = newWorld(process.env['PATH']);
    world.commit({ '.gitignore': ignores });
    worktree = await world.open();
    await world.worktrees.keepOut(worktree, ['./.env']);
    await world.worktrees.keepOut(worktree, [ODD]);
    writeFiles(worktree.folder, { '.env': 'PASSWORD=1', [ODD]: 'PASSWORD=2', 'sub/.env': 'another one' });
  });
  afterEach(() => world.remove());

  const files = (commit: string): string[] => world.git('ls-tree', '-r', '--name-only', commit).split('\n');
  const isIgnored = ignores.startsWith('.env');
  const others = isIgnored ? ['.gitignore', 'a.txt'] : ['.gitignore', 'a.txt', 'sub/.env'];
  const plain = others.filter((name) => name !== 'sub/.env');

  it('are in no snapshot and no commit, and no object of git holds them', async () => {
    rmSync(join(worktree.folder, 'src'), { recursive: true });
    expect(files(await world.worktrees.snapshot(worktree))).toEqual(others);
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, nth) => [`many/${String(nth)}`, '']));
    writeFiles(worktree.folder, many);
    const commit = await world.worktrees.commit(worktree, 'Work', checkpoint, effectRun(worktree.projectId));
    expect(files(commit).filter((name) => !name.startsWith('many/'))).toEqual(others);
    expect(files(commit)).toHaveLength(600 + others.length);
    const blob = world.git('hash-object', join(worktree.folder, '.env'));
    expect(() => world.git('cat-file', '-e', blob)).toThrow();
  });

  it('stay where the worktree is reset, also after the user has pruned it', async () => {
    rmSync(join(world.repo, '.git/worktrees', worktree.projectId), { recursive: true });
    const { projectId, repo } = worktree;
    await world.open({ projectId, repo });
    await world.worktrees.reset(worktree, worktree.baseCommit);
    expect([read(worktree.folder, '.env'), read(worktree.folder, ODD)]).toEqual(['PASSWORD=1', 'PASSWORD=2']);
    expect(existsSync(join(worktree.folder, 'sub/.env'))).toBe(isIgnored);
    expect(await world.worktrees.snapshot(worktree)).toBe(worktree.baseCommit);
  });

  it('are left out also where a folder or a link has taken their place, or a link leads to a changed file', async () => {
    rmSync(join(worktree.folder, '.env'));
    rmSync(join(worktree.folder, 'src'), { recursive: true });
    writeFiles(worktree.folder, { '.env/inner': 'PASSWORD=1' });
    symlinkSync(world.folder, join(worktree.folder, 'src'));
    expect(files(await world.worktrees.snapshot(worktree))).toEqual([...plain, 'src', ...others.slice(2)]);
  });

  it('are forgotten with the worktree', async () => {
    await world.worktrees.remove(worktree);
    expect(existsSync(join(world.root, '.kept', worktree.projectId))).toBe(false);
  });
});
