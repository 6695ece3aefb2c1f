import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { refsOf } from './names.js';
import { WorktreeKeeper } from './worktree-keeper.js';
import { effectRun, newWorld, read, type World, writeFiles } from './worktree.fixture.js';
import type { Worktree } from './worktree.port.js';

let world: World;
let keeper: WorktreeKeeper;
let worktree: Worktree;
let commits: string[];
let snapshot: string;

const sumOf = (seq: number): string => `sha256:${String(seq).repeat(64)}`;

beforeEach(async () => {
  world = newWorld(process.env['PATH']);
  keeper = new WorktreeKeeper(world.again());
  worktree = await world.open();
  commits = [];
  for (const seq of [1, 2, 3]) {
    writeFiles(worktree.folder, { 'a.txt': `work ${String(seq)}\n` });
    const run = effectRun(worktree.projectId, `commit-${String(seq)}`);
    commits.push(await world.worktrees.commit(worktree, 'Work', { seq, checksum: sumOf(seq) }, run));
  }
  writeFiles(worktree.folder, { 'a.txt': 'not committed\n', 'new.txt': 'new\n' });
  snapshot = await world.worktrees.snapshot(worktree);
});
afterEach(() => world.remove());

const first = (): string => commits[0] ?? '';

describe('a worktree that is put back', () => {
  it('has the files and the branch of the checkpoint, and its next commits follow from there', async () => {
    await keeper.reset(worktree.projectId, world.repo, first());
    expect([read(worktree.folder, 'a.txt'), existsSync(join(worktree.folder, 'new.txt'))]).toEqual(['work 1\n', false]);
    expect(world.git('rev-parse', worktree.branch)).toBe(first());
    await keeper.reset(worktree.projectId, world.repo, snapshot);
    expect([read(worktree.folder, 'a.txt'), world.git('rev-parse', worktree.branch)]).toEqual([
      'not committed\n',
      commits[2],
    ]);
  });

  it('begins there where it is not on this machine, and only the first time', async () => {
    await world.worktrees.remove(worktree);
    await keeper.reset(worktree.projectId, world.repo, first());
    const again = await world.open({ projectId: worktree.projectId });
    expect([read(again.folder, 'a.txt'), await world.worktrees.head(again)]).toEqual(['work 1\n', first()]);
    expect(again.baseCommit).toBe(worktree.baseCommit);
    writeFiles(again.folder, { 'a.txt': 'gone on\n' });
    const commit = await world.worktrees.commit(
      again,
      'Work',
      { seq: 9, checksum: sumOf(9) },
      effectRun(again.projectId),
    );
    await world.worktrees.remove(again);
    await world.open({ projectId: worktree.projectId });
    expect(world.git('rev-parse', worktree.branch)).toBe(commit);
  });

  it('is refused where the commit is gone, and left alone where there is no such project', async () => {
    await expect(keeper.reset(newId(), world.repo, first())).resolves.toBeUndefined();
    await world.worktrees.remove(worktree);
    await expect(keeper.reset(worktree.projectId, world.repo, '0'.repeat(40))).rejects.toMatchObject({
      code: 'COMMIT_NOT_FOUND',
    });
  });
});

describe('the checkpoints that commits remember', () => {
  const seen = async (projectId = worktree.projectId) =>
    (await keeper.witnesses(projectId, world.repo)).map(({ seq }) => seq).sort();

  it('are all of them, also those that were left behind and after the worktree is gone', async () => {
    expect(await keeper.witnesses(worktree.projectId, world.repo)).toContainEqual({ seq: 2, checksum: sumOf(2) });
    await keeper.reset(worktree.projectId, world.repo, worktree.baseCommit);
    expect(await seen()).toEqual([1, 2, 3]);
    await world.worktrees.remove(worktree);
    world.git('branch', '-D', worktree.branch);
    expect(await seen()).toEqual([1, 2, 3]);
  });

  it('are none of another project’s, of one that is not there, or of a repository that is gone', async () => {
    const forged = `Work\n\nQralph-Checkpoint: ${worktree.projectId} 99 sha256:forged`;
    world.commit({ 'a.txt': 'x' });
    world.git('commit', '-q', '--allow-empty', '-m', forged);
    expect(await seen()).toEqual([1, 2, 3]);
    expect(await seen(newId())).toEqual([]);
    expect(await keeper.witnesses(worktree.projectId, join(world.folder, 'nowhere'))).toEqual([]);
  });
});

describe('a fork', () => {
  it('has a branch and files of its own from the commit, and leaves its origin alone', async () => {
    const to = newId();
    await keeper.fork(worktree.projectId, to, world.repo, first());
    const fork = await world.open({ projectId: to, name: '002-fork', ref: 'moved-on' });
    expect([read(fork.folder, 'a.txt'), await world.worktrees.head(fork), fork.baseCommit]).toEqual([
      'work 1\n',
      first(),
      worktree.baseCommit,
    ]);
    expect(read(worktree.folder, 'a.txt')).toBe('not committed\n');
    expect(world.git('rev-parse', worktree.branch)).toBe(commits[2]);
    expect(await keeper.witnesses(to, world.repo)).toEqual([]);
  });

  it('of a snapshot has its files, on a branch without it', async () => {
    const to = newId();
    await keeper.fork(worktree.projectId, to, world.repo, snapshot);
    const fork = await world.open({ projectId: to, name: '002-fork' });
    expect([read(fork.folder, 'new.txt'), await world.worktrees.head(fork)]).toEqual(['new\n', commits[2]]);
    expect(await world.worktrees.snapshot(fork)).not.toBe(commits[2]);
  });

  it('that is there already is left to those who work in it, and outlives its origin', async () => {
    const to = newId();
    await keeper.fork(worktree.projectId, to, world.repo, first());
    const fork = await world.open({ projectId: to, name: '002-fork' });
    writeFiles(fork.folder, { 'a.txt': 'work under way\n' });
    await keeper.fork(worktree.projectId, to, world.repo, snapshot);
    await world.worktrees.remove(worktree);
    for (const ref of Object.values(refsOf(worktree.projectId)) as string[]) world.git('update-ref', '-d', ref);
    world.git('branch', '-qD', worktree.branch);
    await world.open({ projectId: to, name: '002-fork' });
    expect(read(fork.folder, 'a.txt')).toBe('work under way\n');
    expect(world.git('for-each-ref', '--format=%(refname)', 'refs/qralph')).toBe(`refs/qralph/${to}/base`);
  });
});
