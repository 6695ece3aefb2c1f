import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import type { GitWorktrees } from './git-worktrees.js';
import { KnownWorktrees } from './known-worktrees.js';
import { PROCESS_MARK } from './names.js';
import { distrust, markOf } from './process-mark.js';
import { gitIn, newWorld, read, SIGNAL, type World } from './worktree.fixture.js';
import type { WorktreeWish } from './worktree.port.js';

let world: World;
let worktrees: GitWorktrees;
let wish: WorktreeWish;
/** The only program that these worktrees find: without it they cannot ask git anything. */
let git: string;

beforeEach(() => {
  world = newWorld(process.env['PATH']);
  const bin = join(world.folder, 'bin');
  mkdirSync(bin);
  git = join(bin, 'git');
  const [real, sh] = ['git', 'sh'].map((name) => execFileSync('which', [name], { encoding: 'utf8' }).trim());
  symlinkSync(real ?? '', git);
  symlinkSync(sh ?? '', join(bin, 'sh'));
  worktrees = world.again({ path: bin });
  wish = { projectId: newId(), name: '001-first-work', repo: world.repo, ref: 'main' };
});
afterEach(() => world.remove());

describe('a worktree that this process has opened before', () => {
  it('is opened again without git, with the same notes', async () => {
    world.write({ 'a.txt': 'not committed\n' });
    const first = await worktrees.open(wish, SIGNAL);
    expect(first.notes?.join()).toContain('not committed');
    renameSync(git, `${git}.away`);
    expect(await worktrees.open(wish, SIGNAL)).toEqual(first);
  });

  it('is not found again after it was removed', async () => {
    const first = await worktrees.open(wish, SIGNAL);
    await worktrees.remove(first);
    renameSync(git, `${git}.away`);
    await expect(worktrees.open(wish, SIGNAL)).rejects.toMatchObject({ code: 'GIT_NOT_FOUND' });
  });

  it('is opened anew where another process has opened it since', async () => {
    const first = await worktrees.open(wish, SIGNAL);
    writeFileSync(join(world.root, '.holders', wish.projectId), `${wish.projectId} another`);
    renameSync(git, `${git}.away`);
    await expect(worktrees.open(wish, SIGNAL)).rejects.toMatchObject({ code: 'GIT_NOT_FOUND' });
    renameSync(`${git}.away`, git);
    expect(await worktrees.open(wish, SIGNAL)).toEqual(first);
  });

  it.each<[string, (folder: string, entry: string, branch: string) => void]>([
    ['its folder is gone', (folder) => rmSync(folder, { recursive: true })],
    ['its entry is gone', (_, entry) => rmSync(entry, { recursive: true })],
    ['its index is gone', (_, entry) => rmSync(join(entry, 'index'))],
    ['its HEAD is elsewhere', (_, entry) => writeFileSync(join(entry, 'HEAD'), 'ref: refs/heads/main\n')],
    ['its .git points elsewhere', (folder) => writeFileSync(join(folder, '.git'), 'gitdir: /elsewhere\n')],
    [
      'its branch is gone',
      (_, entry, branch) => {
        rmSync(entry, { recursive: true });
        world.git('update-ref', '-d', `refs/heads/${branch}`);
      },
    ],
  ])('is made whole where %s', async (_, damage) => {
    const { folder, branch } = await worktrees.open(wish, SIGNAL);
    damage(folder, join(world.repo, '.git', 'worktrees', wish.projectId), branch);
    const again = await worktrees.open(wish, SIGNAL);
    expect(read(folder, 'a.txt')).toBe('one\n');
    expect(gitIn(folder)('status', '-sb')).toBe(`## ${branch}`);
    expect(await worktrees.head(again)).toBe(again.baseCommit);
  });

  it('begins where its keeper says, once the worktree was lost', async () => {
    const { folder } = await worktrees.open(wish, SIGNAL);
    const other = world.commit({ 'a.txt': 'two\n' });
    world.git('update-ref', `refs/qralph/${wish.projectId}/start`, other);
    rmSync(folder, { recursive: true });
    await worktrees.open(wish, SIGNAL);
    expect(read(folder, 'a.txt')).toBe('two\n');
  });

  it('is found by git where git has packed its refs', async () => {
    const first = await worktrees.open(wish, SIGNAL);
    world.git('pack-refs', '--all');
    expect(await worktrees.open(wish, SIGNAL)).toEqual(first);
  });
});

it('no file is touched while a git of another process may work there, unless this one has outlived it when it opened', async () => {
  const worktree = await worktrees.open(wish, SIGNAL);
  const env = { ...process.env, [PROCESS_MARK]: `${wish.projectId} another` };
  const other = spawn('sleep', ['1'], { env });
  const ended = once(other, 'exit');
  await worktrees.reset(worktree, worktree.baseCommit);
  expect(other.exitCode).toBeNull();
  await world.again().reset(worktree, worktree.baseCommit);
  expect(await ended).toEqual([0, null]);
});

it('what this process has lost sight of is not taken for outlived', () => {
  const known = new KnownWorktrees();
  const projectId = newId();
  expect(known.has(projectId)).toBe(false);
  known.learn({ projectId, repo: '', folder: '', branch: '', baseCommit: '' });
  expect(known.has(projectId)).toBe(true);
  distrust(markOf(projectId));
  expect(known.has(projectId)).toBe(false);
});
