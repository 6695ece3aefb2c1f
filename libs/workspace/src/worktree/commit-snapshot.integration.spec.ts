import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkpoint, effectRun, newWorld, read, type World, writeFiles } from './worktree.fixture.js';
import type { Worktree } from './worktree.port.js';

let world: World;
let worktree: Worktree;
beforeEach(async () => {
  world = newWorld(process.env['PATH']);
  worktree = await world.open();
});
afterEach(() => world.remove());

const write = (made: Readonly<Record<string, string>>): void => writeFiles(worktree.folder, made);
const commit = (snapshot: string, worktrees = world.worktrees): Promise<string | null> =>
  worktrees.commitSnapshot(worktree, snapshot, 'Work', checkpoint, effectRun(worktree.projectId));
const treeOf = (id: string | null): string => world.git('rev-parse', `${id ?? ''}^{tree}`);

it('commits exactly what the snapshot holds, and leaves the files so', async () => {
  write({ 'a.txt': 'verified\n', 'new.txt': 'new\n', 'ignored/kept': 'kept' });
  const snapshot = await world.worktrees.snapshot(worktree);
  write({ 'a.txt': 'changed since\n', 'more.txt': 'more\n', 'src/.git/HEAD': 'ref: refs/heads/x\n' });
  const made = await commit(snapshot);
  expect(treeOf(made)).toBe(treeOf(snapshot));
  expect(world.git('rev-parse', `${made ?? ''}^`, worktree.branch)).toBe(`${worktree.baseCommit}\n${made ?? ''}`);
  expect(await world.worktrees.head(worktree)).toBe(made);
  expect([read(worktree.folder, 'a.txt'), read(worktree.folder, 'ignored/kept')]).toEqual(['verified\n', 'kept']);
  expect(['more.txt', 'src/.git'].map((name) => existsSync(join(worktree.folder, name)))).toEqual([false, false]);
  expect(await world.worktrees.snapshot(worktree)).toBe(made);
  expect(await world.worktrees.findCommit(worktree, effectRun(worktree.projectId))).toBe(made);
});

it('makes none of what is the branch’s own already', async () => {
  write({ 'a.txt': 'changed\n' });
  expect(await commit(worktree.baseCommit)).toBeNull();
  expect([await world.worktrees.head(worktree), read(worktree.folder, 'a.txt')]).toEqual([
    worktree.baseCommit,
    'one\n',
  ]);
});

it('stands beside the commit that the snapshot was made at, whoever made it and whatever came after', async () => {
  write({ 'a.txt': 'first\n' });
  const first = await world.worktrees.snapshot(worktree);
  const made = await commit(first);
  write({ 'a.txt': 'second\n' });
  const second = await world.worktrees.snapshot(worktree);
  const later = await commit(second);
  expect(world.git('rev-parse', `${later ?? ''}^`)).toBe(made);
  // A process that has seen none of it makes the first one again.
  const again = await commit(first, world.again());
  expect([treeOf(again), world.git('rev-parse', `${again ?? ''}^`)]).toEqual([treeOf(first), worktree.baseCommit]);
});

it('takes nothing but a commit id', async () => {
  await expect(commit('HEAD')).rejects.toMatchObject({ code: 'COMMIT_INVALID' });
});
