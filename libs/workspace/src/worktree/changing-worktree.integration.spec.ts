import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SecretBook } from '#kernel';
import { checkpoint, effectRun, newWorld, read, SIGNAL, type World, writeFiles } from './worktree.fixture.js';
import type { Worktree } from './worktree.port.js';

let world: World;
let worktree: Worktree;
beforeEach(async () => {
  world = newWorld(process.env['PATH']);
  worktree = await world.open();
});
afterEach(() => world.remove());

const files = (commit: string): string[] =>
  world.git('-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', commit).split('\n');
const write = (made: Readonly<Record<string, string>>): void => writeFiles(worktree.folder, made);
const take = (): Promise<string> => world.worktrees.snapshot(worktree);
const here = (name: string): string => join(worktree.folder, name);

describe('a snapshot', () => {
  it('holds all files but ignored ones, beside the branch', async () => {
    write({ 'a.txt': 'changed\n', 'made/new.txt': 'new\n', 'ignored/x': 'x', 'x.log': 'x' });
    rmSync(here('src/b.ts'));
    const snapshot = await take();
    expect(files(snapshot)).toEqual(['.gitignore', 'a.txt', 'made/new.txt']);
    expect(await world.worktrees.head(worktree)).toBe(worktree.baseCommit);
    expect(world.git('rev-parse', worktree.branch)).toBe(worktree.baseCommit);
  });

  it('is the same commit again where nothing has changed, in this process and in the next', async () => {
    expect(await take()).toBe(worktree.baseCommit);
    write({ 'a.txt': 'changed\n' });
    const snapshot = await take();
    expect([await take(), await take(), await world.again().snapshot(worktree)]).toEqual([
      snapshot,
      snapshot,
      snapshot,
    ]);
    write({ 'a.txt': 'changed again\n' });
    const other = await take();
    expect(other).not.toBe(snapshot);
    write({ 'a.txt': 'one\n' });
    expect(await take()).toBe(worktree.baseCommit);
  });

  it('notices a change of the same length in the same moment', async () => {
    const seen = new Set<string>();
    for (let nth = 0; nth < 10; nth += 1) {
      write({ 'a.txt': `a${String(nth)}\n` });
      seen.add(await take());
    }
    expect(seen.size).toBe(10);
  });

  it('is not mistaken after somebody else has reset the worktree', async () => {
    write({ 'a.txt': 'changed\n' });
    const snapshot = await take();
    await world.again().reset(worktree, worktree.baseCommit);
    expect(await take()).toBe(worktree.baseCommit);
    await world.again().reset(worktree, snapshot);
    expect(files(await take())).toEqual(files(snapshot));
  });

  it('outlives the user’s garbage collection, as do commits that were left behind', async () => {
    write({ 'a.txt': 'first\n' });
    const first = await take();
    write({ 'a.txt': 'second\n' });
    const second = await take();
    const commit = await world.worktrees.commit(worktree, 'Work', checkpoint, effectRun(worktree.projectId));
    await world.worktrees.reset(worktree, first);
    world.git('reflog', 'expire', '--expire=now', '--all');
    world.git('gc', '-q', '--prune=now');
    for (const [one, text] of [
      [second, 'second\n'],
      [commit, 'second\n'],
      [first, 'first\n'],
    ] as const) {
      await world.worktrees.reset(worktree, one);
      expect(read(worktree.folder, 'a.txt')).toBe(text);
    }
  });

  it('keeps names that are no plain words, links, and rights to run', async () => {
    const names = [
      'new\nline',
      '-dash',
      '"quoted"',
      'tab\there',
      ':(top)magic',
      '*',
      'ü',
      ' ',
      'a\\b',
      '.gitignore.d/x',
    ];
    write(Object.fromEntries(names.map((name) => [name, name])));
    writeFileSync(Buffer.concat([Buffer.from(`${worktree.folder}/`), Buffer.from([0xff, 0xfe])]), 'bytes');
    symlinkSync('/etc/passwd', here('link'));
    symlinkSync('/etc', here('folder-link'));
    write({ run: '#!/bin/sh\n' });
    chmodSync(here('run'), 0o755);
    const snapshot = await take();
    await world.worktrees.reset(worktree, worktree.baseCommit);
    expect(readdirSync(worktree.folder).sort()).toEqual(['.git', '.gitignore', 'a.txt', 'src']);
    await world.worktrees.reset(worktree, snapshot);
    for (const name of names) expect(read(worktree.folder, name)).toBe(name);
    expect(statSync(here('run')).mode & 0o111).toBe(0o111);
    expect(
      readdirSync(worktree.folder, { encoding: 'buffer' }).some((name) => name.equals(Buffer.from([0xff, 0xfe]))),
    ).toBe(true);
    expect(world.git('cat-file', '-p', `${snapshot}:link`)).toBe('/etc/passwd');
    expect(await take()).toBe(snapshot);
  });

  it('follows files that became folders, and folders that became links', async () => {
    rmSync(here('a.txt'));
    renameSync(here('src'), here('moved'));
    write({ 'a.txt/inside': 'x' });
    symlinkSync(join(world.repo, 'src'), here('src'));
    const snapshot = await take();
    expect(files(snapshot)).toEqual(['.gitignore', 'a.txt/inside', 'moved/b.ts', 'src']);
    await world.worktrees.reset(worktree, worktree.baseCommit);
    expect(read(worktree.folder, 'src/b.ts')).toBe('export const b = 1;\n');
    expect(read(world.repo, 'src/b.ts')).toBe('export const b = 1;\n');
  });

  it('takes many files at once', async () => {
    write(Object.fromEntries(Array.from({ length: 1_200 }, (_, nth) => [`many/${String(nth)}`, String(nth)])));
    expect(files(await take())).toHaveLength(1_203);
  });

  it('refuses a file that is too large, before reading it', async () => {
    write({ 'large.bin': '' });
    truncateSync(here('large.bin'), 2 ** 40);
    await expect(take()).rejects.toMatchObject({ code: 'WORKTREE_TOO_LARGE', details: { path: 'large.bin' } });
    rmSync(here('large.bin'));
    expect(await take()).toBe(worktree.baseCommit);
  });

  it('reads what its maker took the rights from', async () => {
    write({ 'secret/file': 'x', unreadable: 'y' });
    chmodSync(here('unreadable'), 0o000);
    chmodSync(here('secret'), 0o000);
    expect(files(await take())).toEqual(['.gitignore', 'a.txt', 'secret/file', 'src/b.ts', 'unreadable']);
  });
});

describe('a reset', () => {
  it('brings tracked files back, removes untracked ones and keeps ignored ones', async () => {
    write({ 'a.txt': 'changed\n', 'new/x.txt': 'x', 'ignored/kept': 'kept', 'node_modules/dep/index.js': 'kept' });
    rmSync(here('src'), { recursive: true });
    await world.worktrees.reset(worktree, worktree.baseCommit);
    expect([read(worktree.folder, 'a.txt'), existsSync(here('src/b.ts')), existsSync(here('new'))]).toEqual([
      'one\n',
      true,
      false,
    ]);
    expect([read(worktree.folder, 'ignored/kept'), read(worktree.folder, 'node_modules/dep/index.js')]).toEqual([
      'kept',
      'kept',
    ]);
  });

  it('to a snapshot puts the branch where it was when the snapshot was made', async () => {
    write({ 'a.txt': 'first\n' });
    const snapshot = await take();
    const commit = await world.worktrees.commit(worktree, 'Work', checkpoint, effectRun(worktree.projectId));
    write({ 'a.txt': 'second\n' });
    const later = await take();
    await world.worktrees.reset(worktree, snapshot);
    expect([await world.worktrees.head(worktree), read(worktree.folder, 'a.txt')]).toEqual([
      worktree.baseCommit,
      'first\n',
    ]);
    await world.worktrees.reset(worktree, later);
    expect([await world.worktrees.head(worktree), read(worktree.folder, 'a.txt')]).toEqual([commit, 'second\n']);
    await world.worktrees.reset(worktree, snapshot, commit);
    expect([await world.worktrees.head(worktree), read(worktree.folder, 'a.txt')]).toEqual([commit, 'first\n']);
  });

  it('works over a stale lock, folders without rights, and a folder in place of the .git file', async () => {
    write({ 'locked/deep/file': 'x', 'src/more': 'x' });
    rmSync(here('.git'));
    mkdirSync(here('.git/objects'), { recursive: true });
    writeFileSync(join(world.repo, '.git/worktrees', worktree.projectId, 'index.lock'), '');
    chmodSync(here('locked/deep'), 0o500);
    chmodSync(here('locked'), 0o000);
    chmodSync(here('src'), 0o500);
    await world.worktrees.reset(worktree, worktree.baseCommit);
    expect(readdirSync(worktree.folder, { recursive: true }).sort()).toEqual([
      '.git',
      '.gitignore',
      'a.txt',
      'src',
      'src/b.ts',
    ]);
    expect(statSync(here('.git')).isFile()).toBe(true);
  });

  it.each(['HEAD', '--hard', 'main', '', '0'.repeat(39)])(
    'to %j, which is no commit id, is refused',
    async (commit) => {
      await expect(world.worktrees.reset(worktree, commit)).rejects.toMatchObject({ code: 'COMMIT_INVALID' });
    },
  );
});

describe('a commit', () => {
  it('is found by its effect, and by nothing that a message says', async () => {
    const { projectId } = worktree;
    write({ 'a.txt': 'work\n' });
    expect(await world.worktrees.findCommit(worktree, effectRun(projectId))).toBeNull();
    const forged = `Title\n\nQralph-Effect: ${projectId}/1/1/other\nQralph-Checkpoint: ${projectId} 99 sha256:bad`;
    const commit = await world.worktrees.commit(worktree, forged, checkpoint, effectRun(projectId));
    expect(await world.worktrees.findCommit(worktree, effectRun(projectId))).toBe(commit);
    expect(await world.worktrees.findCommit(worktree, effectRun(projectId, 'other'))).toBeNull();
    expect(await world.worktrees.findCommit(worktree, effectRun(projectId, 'comm'))).toBeNull();
    expect(await world.worktrees.head(worktree)).toBe(commit);
    expect(world.git('log', '-1', '--format=%an <%ae> %s', commit)).toBe('QRALPH <qralph@localhost> Title');
  });

  it('is made also where there is nothing to commit, for its effect must be found', async () => {
    const commit = await world.worktrees.commit(worktree, '', checkpoint, effectRun(worktree.projectId));
    expect(world.git('rev-parse', `${commit}^`)).toBe(worktree.baseCommit);
    expect(await world.worktrees.findCommit(worktree, effectRun(worktree.projectId))).toBe(commit);
  });
});

it('says so of a worktree that is not there any more', async () => {
  await world.worktrees.remove(worktree);
  const { worktrees } = world;
  await expect(worktrees.head(worktree)).rejects.toMatchObject({ code: 'WORKTREE_MISSING' });
  await expect(take()).rejects.toMatchObject({ code: 'WORKTREE_MISSING' });
  await expect(worktrees.findCommit(worktree, effectRun('p'))).rejects.toMatchObject({ code: 'WORKTREE_MISSING' });
  await expect(
    world.again({ path: '/nowhere' }).open({ ...worktree, name: '001-first-work', ref: 'main' }, SIGNAL),
  ).rejects.toMatchObject({ code: 'GIT_NOT_FOUND' });
});

describe('a diff', () => {
  it('names files, lines and renames, whatever they are called', async () => {
    world.commit({ 'old name.txt': 'a\nb\nc\nd\ne\nf\n', 'bin.dat': 'x\u0000y', 'gone\n"x".txt': 'gone\n' });
    const other = await world.open({ name: '002-other' });
    renameSync(join(other.folder, 'old name.txt'), join(other.folder, 'new\tname.txt'));
    rmSync(join(other.folder, 'gone\n"x".txt'));
    writeFiles(other.folder, { 'bin.dat': 'x\u0000z', 'a.txt': 'one\ntwo\n', added: 'x\n' });
    const to = await world.worktrees.snapshot(other);
    const { files: changed, patch, isCut } = await world.worktrees.diff(other, other.baseCommit, to);
    expect(changed).toEqual([
      { path: 'a.txt', status: 'changed', from: null, insertions: 1, deletions: 0 },
      { path: 'added', status: 'added', from: null, insertions: 1, deletions: 0 },
      { path: 'bin.dat', status: 'changed', from: null, insertions: 0, deletions: 0 },
      { path: 'gone\n"x".txt', status: 'deleted', from: null, insertions: 0, deletions: 1 },
      { path: 'new\tname.txt', status: 'renamed', from: 'old name.txt', insertions: 0, deletions: 0 },
    ]);
    expect(isCut).toBe(false);
    expect(patch).toContain('+two');
    expect(patch).toContain('Binary files');
  });

  it('is cut at a limit, says so, and shows no secret', async () => {
    write({ 'a.txt': 'token hunter2hunter2\n' });
    const small = await world
      .again({ redactor: new SecretBook(['hunter2hunter2']) })
      .diff(worktree, worktree.baseCommit, await take());
    expect(small.patch).not.toContain('hunter2');
    write({ 'long.txt': 'a line of text\n'.repeat(300_000) });
    const { patch, isCut, files: changed } = await world.worktrees.diff(worktree, worktree.baseCommit, await take());
    expect([isCut, patch.length < 2_200_000, patch.endsWith('\n'), changed.length]).toEqual([true, true, true, 2]);
  });
});
