import { existsSync, rmSync, writeFileSync } from 'node:fs';
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
    await expect(keeper.reset(newId(), world.repo, first())).resolves.toBeNull();
    await world.worktrees.remove(worktree);
    await expect(keeper.reset(worktree.projectId, world.repo, '0'.repeat(40))).rejects.toMatchObject({
      code: 'COMMIT_NOT_FOUND',
    });
  });
});

describe('what is in a worktree that is put back', () => {
  it('is kept as a commit, which is named, whichever process had opened it', async () => {
    writeFileSync(join(world.root, '.holders', worktree.projectId), `${worktree.projectId} of-a-process-that-is-gone`);
    writeFiles(worktree.folder, { 'by-hand.txt': 'an hour of work\n' });
    const kept = await keeper.reset(worktree.projectId, world.repo, first());
    expect(existsSync(join(worktree.folder, 'by-hand.txt'))).toBe(false);
    expect(world.git('show', `${kept ?? ''}:by-hand.txt`)).toBe('an hour of work');
    await keeper.settle(worktree.projectId, world.repo, first());
    expect(await keeper.reset(worktree.projectId, world.repo, commits[1] ?? '')).toBeNull();
  });

  it('is as it was made where it goes back to before it was there', async () => {
    await keeper.reset(worktree.projectId, world.repo, null);
    expect([read(worktree.folder, 'a.txt'), world.git('rev-parse', worktree.branch)]).toEqual(['one\n', worktree.baseCommit]); // prettier-ignore
    await keeper.settle(worktree.projectId, world.repo, null);
    expect(read(worktree.folder, 'a.txt')).toBe('one\n');
  });

  it('comes back where whoever restored it died before the state followed', async () => {
    writeFiles(worktree.folder, { 'by-hand.txt': 'an hour of work\n' });
    await keeper.reset(worktree.projectId, world.repo, first());
    // The next one to work there knows the commit of the newest checkpoint: it is not the one that was gone back to.
    const next = new WorktreeKeeper(world.again());
    await next.settle(worktree.projectId, world.repo, snapshot);
    expect([read(worktree.folder, 'by-hand.txt'), read(worktree.folder, 'a.txt')]).toEqual(['an hour of work\n', 'not committed\n']); // prettier-ignore
    expect(world.git('rev-parse', worktree.branch)).toBe(commits[2]);
    await next.settle(worktree.projectId, world.repo, first());
    expect(read(worktree.folder, 'by-hand.txt')).toBe('an hour of work\n');
  });

  it('is not lost either where the same restore is asked for again', async () => {
    writeFiles(worktree.folder, { 'by-hand.txt': 'an hour of work\n' });
    const kept = await keeper.reset(worktree.projectId, world.repo, first());
    const again = await new WorktreeKeeper(world.again()).reset(worktree.projectId, world.repo, first());
    expect(world.git('rev-parse', `${again ?? ''}^{tree}`)).toBe(world.git('rev-parse', `${kept ?? ''}^{tree}`));
  });
});

describe('what is pending in a worktree', () => {
  const pending = (commit: string | null) => world.worktrees.pending(worktree, commit);

  it('is what git sees, and whether a commit has it so; looking changes nothing', async () => {
    expect(await pending(null)).toEqual({
      files: [
        { path: 'a.txt', status: 'changed', isAsInCommit: null },
        { path: 'new.txt', status: 'added', isAsInCommit: null },
      ],
      isCut: false,
    });
    expect((await pending(snapshot))?.files.map(({ isAsInCommit }) => isAsInCommit)).toEqual([true, true]);
    writeFiles(worktree.folder, { 'new.txt': 'by hand\n', 'odd \n name.txt': 'x' });
    rmSync(join(worktree.folder, 'src', 'b.ts'));
    const known = (await pending(snapshot))?.files.map(({ path, status, isAsInCommit }) => [
      path,
      status,
      isAsInCommit,
    ]);
    expect(known).toEqual([
      ['a.txt', 'changed', true],
      ['new.txt', 'added', false],
      ['src/b.ts', 'deleted', false],
      ['odd \n name.txt', 'added', null],
    ]);
  });

  it('has what a commit has and the worktree lacks, and is unknown where there is no worktree', async () => {
    await world.worktrees.reset(worktree, commits[2] ?? '');
    expect((await pending(snapshot))?.files).toEqual([
      { path: 'a.txt', status: 'changed', isAsInCommit: false },
      { path: 'new.txt', status: 'changed', isAsInCommit: false },
    ]);
    await world.worktrees.remove(worktree);
    expect(await pending(snapshot)).toBeNull();
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
