import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { newMarkedFolder } from '../left-folders.js';
import { WorktreeKeeper } from './worktree-keeper.js';
import { checkpoint, effectRun, gitIn, read, SIGNAL, type World, newWorld, writeFiles } from './worktree.fixture.js';

let world: World;
beforeEach(() => {
  world = newWorld(process.env['PATH']);
});
afterEach(() => world.remove());

describe('opening a worktree', () => {
  it('makes a checkout of the ref on a branch of its own', async () => {
    const worktree = await world.open();
    expect(worktree).toMatchObject({
      branch: 'qralph/001-first-work',
      baseCommit: world.git('rev-parse', 'main'),
      notes: [],
    });
    expect(read(worktree.folder, 'a.txt')).toBe('one\n');
    expect(await world.worktrees.head(worktree)).toBe(worktree.baseCommit);
    // To the user's own git it is a worktree like any other.
    expect(world.git('worktree', 'list')).toContain(`${worktree.folder} `);
    expect(gitIn(worktree.folder)('status', '-sb')).toBe('## qralph/001-first-work');
    expect(world.git('fsck', '--strict')).not.toContain('error');
  });

  it('leaves the user’s files, index, branch and configuration as they are, uncommitted work included', async () => {
    world.git('branch', 'mine');
    world.write({ 'a.txt': 'changed\n', 'staged.txt': 'staged\n', 'new.txt': 'new\n' });
    world.git('add', 'staged.txt');
    world.git('status');
    const before = world.userState();
    const worktree = await world.open();
    expect(world.userState()).toEqual(before);
    expect(read(worktree.folder, 'a.txt')).toBe('one\n');
    expect([existsSync(join(worktree.folder, 'new.txt')), existsSync(join(worktree.folder, 'staged.txt'))]).toEqual([
      false,
      false,
    ]);
    expect(worktree.notes?.join()).toContain('not committed');

    writeFiles(worktree.folder, { 'a.txt': 'by the agent\n', 'made.txt': 'made\n' });
    const snapshot = await world.worktrees.snapshot(worktree);
    await world.worktrees.commit(worktree, 'Work', checkpoint, effectRun(worktree.projectId));
    await world.worktrees.reset(worktree, snapshot);
    await world.worktrees.remove(worktree);
    expect(world.userState()).toEqual(before);
    expect(read(world.repo, 'a.txt')).toBe('changed\n');
  });

  it('takes a branch before a tag, and also a tag, a commit and a remote branch', async () => {
    const first = world.git('rev-parse', 'main');
    const second = world.commit({ 'a.txt': 'two\n' });
    world.git('tag', 'main', first);
    world.git('update-ref', 'refs/remotes/origin/theirs', first);
    const base = async (ref: string, nth: number) =>
      (await world.open({ ref, name: `00${String(nth)}-work` })).baseCommit;
    expect(await base('main', 1)).toBe(second);
    expect(await base('tags/main', 2)).toBe(first);
    expect(await base(first.slice(0, 12), 3)).toBe(first);
    expect(await base('origin/theirs', 4)).toBe(first);
    expect(await base('HEAD~1', 5)).toBe(first);
  });

  it('says so where the checkout is on no branch, and works', async () => {
    world.git('checkout', '-q', '--detach');
    const worktree = await world.open({ ref: 'HEAD' });
    expect(worktree.notes?.join()).toContain('detached');
  });

  it('works on a shallow clone, which has all that a worktree needs', async () => {
    world.commit({ 'a.txt': 'two\n' });
    const shallow = join(world.folder, 'shallow');
    world.git('clone', '-q', '--depth', '1', `file://${world.repo}`, shallow);
    const worktree = await world.open({ repo: shallow });
    expect(read(worktree.folder, 'a.txt')).toBe('two\n');
    expect(worktree.notes?.join()).toContain('unshallow');
    await world.worktrees.commit(worktree, 'Work', checkpoint, effectRun(worktree.projectId));
    await expect(world.open({ repo: shallow, ref: 'HEAD~1', name: '002-x' })).rejects.toThrow(/--unshallow/);
  });

  it('works from another worktree of the user’s, and in a repository with packed refs and with SHA-256', async () => {
    world.git('worktree', 'add', '-q', join(world.folder, 'other'), '-b', 'mine');
    world.git('pack-refs', '--all');
    const worktree = await world.open({ repo: join(world.folder, 'other'), ref: 'HEAD' });
    expect(read(worktree.folder, 'a.txt')).toBe('one\n');

    const wide = join(world.folder, 'wide');
    world.git('init', '-q', '-b', 'main', '--object-format=sha256', wide);
    writeFiles(wide, { 'a.txt': 'wide\n' });
    gitIn(wide)('add', '-A');
    gitIn(wide)('commit', '-q', '-m', 'first');
    const other = await world.open({ repo: wide });
    writeFiles(other.folder, { 'a.txt': 'wider\n' });
    const snapshot = await world.worktrees.snapshot(other);
    expect(snapshot).toHaveLength(64);
    await world.worktrees.reset(other, other.baseCommit);
    expect(read(other.folder, 'a.txt')).toBe('wide\n');
  });

  it('opens many on one repository at once, each on its own branch', async () => {
    const opened = await Promise.all(
      Array.from({ length: 8 }, (_, nth) => world.open({ name: `${String(nth + 1)}-parallel-work` })),
    );
    expect(new Set(opened.map(({ folder }) => folder)).size).toBe(8);
    await Promise.all(
      opened.map(async (worktree, nth) => {
        writeFiles(worktree.folder, { 'a.txt': `of ${String(nth)}\n` });
        await world.worktrees.snapshot(worktree);
        await world.worktrees.commit(worktree, 'Work', checkpoint, effectRun(worktree.projectId));
      }),
    );
    const texts = opened.map(({ branch }) => world.git('show', `${branch}:a.txt`));
    expect(texts).toEqual(opened.map((_, nth) => `of ${String(nth)}`));
    expect(world.git('fsck', '--strict')).not.toContain('error');
  });
});

describe('a worktree that is opened again', () => {
  const wish = () => ({ projectId: newId(), name: '001-first-work', repo: world.repo, ref: 'main' });

  it('is found as it was left, though the ref has moved on', async () => {
    const one = wish();
    const worktree = await world.open(one);
    writeFiles(worktree.folder, { 'a.txt': 'half done\n', 'b.txt': 'new\n', 'ignored/c': 'kept\n' });
    world.commit({ 'a.txt': 'moved on\n' });
    const again = await world.again().open(one, SIGNAL);
    expect(again).toEqual(worktree);
    expect([read(again.folder, 'a.txt'), read(again.folder, 'b.txt')]).toEqual(['half done\n', 'new\n']);
  });

  it.each<[string, (entry: string, folder: string, branch: string) => void]>([
    ['the entry is without HEAD and index', (entry) => ['HEAD', 'index'].forEach((name) => rmSync(join(entry, name)))],
    ['git’s entry was pruned', (entry) => rmSync(entry, { recursive: true })],
    ['the folder’s .git file is gone', (_, folder) => rmSync(join(folder, '.git'))],
    ['the folder’s .git points elsewhere', (_, folder) => writeFileSync(join(folder, '.git'), 'gitdir: /tmp\n')],
    ['a lock of a killed git is left', (entry) => writeFileSync(join(entry, 'index.lock'), '')],
    [
      'a lock on the branch is left',
      (_e, _f, branch) => writeFileSync(join(world.repo, '.git/refs/heads', `${branch}.lock`), ''),
    ],
  ])('keeps its files where %s', async (_, damage) => {
    const one = wish();
    const { folder, projectId, branch } = await world.open(one);
    writeFiles(folder, { 'a.txt': 'half done\n', 'b.txt': 'new\n' });
    damage(join(world.repo, '.git', 'worktrees', projectId), folder, branch);
    const worktree = await world.again().open(one, SIGNAL);
    expect([read(folder, 'a.txt'), read(folder, 'b.txt')]).toEqual(['half done\n', 'new\n']);
    const commit = await world.worktrees.commit(worktree, 'Work', checkpoint, effectRun(projectId));
    expect(world.git('diff', '--name-only', worktree.baseCommit, commit).split('\n')).toEqual(['a.txt', 'b.txt']);
  });

  it.each<[string, (folder: string, entry: string, branch: string) => void]>([
    ['the folder is gone', (folder) => rmSync(folder, { recursive: true })],
    [
      'the branch was made and nothing else',
      (folder, entry) => [folder, entry].forEach((one) => rmSync(one, { recursive: true })),
    ],
    [
      'the base was written down and nothing else',
      (folder, entry, branch) => {
        [folder, entry].forEach((one) => rmSync(one, { recursive: true }));
        world.git('update-ref', '-d', `refs/heads/${branch}`);
      },
    ],
    [
      'only half of the files were written',
      (folder, entry) => {
        rmSync(join(world.root, '.ready'), { recursive: true });
        rmSync(join(folder, 'a.txt'));
        writeFileSync(join(folder, 'src/b.ts'), '');
        writeFileSync(join(entry, 'index.lock'), '');
      },
    ],
  ])('is made whole where %s', async (_, damage) => {
    const one = wish();
    const { folder, projectId, branch } = await world.open(one);
    damage(folder, join(world.repo, '.git', 'worktrees', projectId), branch);
    const worktree = await world.again().open(one, SIGNAL);
    expect([read(folder, 'a.txt'), read(folder, 'src/b.ts')]).toEqual(['one\n', 'export const b = 1;\n']);
    expect(gitIn(folder)('status', '--porcelain')).toBe('');
    expect(await world.worktrees.head(worktree)).toBe(worktree.baseCommit);
  });
});

describe('removing a worktree', () => {
  it('takes folder and entry away and keeps the branch, also a second time', async () => {
    const worktree = await world.open();
    writeFiles(worktree.folder, { 'a.txt': 'work\n' });
    const commit = await world.worktrees.commit(worktree, 'Work', checkpoint, effectRun(worktree.projectId));
    await world.worktrees.remove(worktree);
    await world.worktrees.remove(worktree);
    expect(existsSync(worktree.folder)).toBe(false);
    expect(existsSync(join(world.repo, '.git/worktrees'))).toBe(false);
    expect(world.git('rev-parse', worktree.branch)).toBe(commit);
    expect(world.git('worktree', 'list').split('\n')).toHaveLength(1);
    const back = await world.open({ projectId: worktree.projectId });
    expect(read(back.folder, 'a.txt')).toBe('work\n');
  });

  it('finishes what a crash left of it, and works where the repository is gone', async () => {
    const worktree = await world.open();
    mkdirSync(join(world.root, '.trash', `${worktree.projectId}.left`), { recursive: true });
    rmSync(world.repo, { recursive: true });
    await world.worktrees.remove(worktree);
    expect([existsSync(worktree.folder), existsSync(join(world.root, '.trash', `${worktree.projectId}.left`))]).toEqual(
      [false, false],
    );
  });

  it.each([
    ['bare', (repo: string) => rmSync(join(repo, '.git'), { recursive: true })],
    ['made of links', (repo: string) => symlinkSync(repo, join(repo, '.git/refs/heads/qralph/link'))],
    ['broken', (repo: string) => rmSync(join(repo, '.git/HEAD'))],
  ])('takes our own folder away, also where the repository has become %s', async (_, become) => {
    const worktree = await world.open();
    // What a bare repository has in its root.
    cpSync(join(world.repo, '.git'), world.repo, { recursive: true });
    become(world.repo);
    await world.worktrees.remove(worktree);
    expect(existsSync(worktree.folder)).toBe(false);
    expect(readdirSync(join(world.root, '.trash'))).toEqual([]);
    expect(await new WorktreeKeeper(world.worktrees).witnesses(worktree.projectId, world.repo)).toEqual([]);
  });

  it('removes links without following them', async () => {
    const worktree = await world.open();
    symlinkSync(world.repo, join(worktree.folder, 'out'));
    await world.worktrees.remove(worktree);
    expect(readFileSync(join(world.repo, 'a.txt'), 'utf8')).toBe('one\n');
  });
});

it('sweeps what a killed process left beside the views, and nothing of one that lives', async () => {
  world.commit({ '.gitattributes': '* text=auto\n' });
  const views = join(world.root, '.views');
  const held: string[] = [];
  for (const prefix of ['.made-', '.inspected-']) {
    mkdirSync(join(views, `${prefix}1-0badb007.1-abc`), { recursive: true });
    held.push(basename(await newMarkedFolder(views, prefix)));
  }
  await world.open();
  expect(readdirSync(views).filter((name) => name.startsWith('.'))).toEqual(held.sort());
});

it('commits what the user has excluded for themselves no more than they do', async () => {
  appendFileSync(join(world.repo, '.git/info/exclude'), 'private\n');
  const worktree = await world.open();
  writeFiles(worktree.folder, { private: 'x', 'node_modules/x/index.js': 'x', 'shown.txt': 'x' });
  const commit = await world.worktrees.commit(worktree, 'Work', checkpoint, effectRun(worktree.projectId));
  expect(world.git('diff', '--name-only', 'main', commit)).toBe('shown.txt');
});

it('names folders by their real paths where the data folder lies behind a link', async () => {
  const [data, link] = [join(world.folder, 'real-data'), join(world.folder, 'linked-data')];
  mkdirSync(data);
  symlinkSync(data, link);
  const worktrees = world.again({ root: join(link, 'worktrees') });
  const wish = { projectId: newId(), name: '001-first-work', repo: world.repo, ref: 'main' };
  const { folder } = await worktrees.open(wish, SIGNAL);
  expect(folder).toBe(join(data, 'worktrees', wish.projectId));
  expect(worktrees.folderOf(wish.projectId)).toBe(folder);
});
