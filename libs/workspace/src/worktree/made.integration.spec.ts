import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkpoint, effectRun, newWorld, type World, writeFiles } from './worktree.fixture.js';
import type { Worktree } from './worktree.port.js';

let world: World;
let worktree: Worktree;
beforeEach(async () => {
  world = newWorld(process.env['PATH']);
  worktree = await world.open();
});
afterEach(() => world.remove());

const run = (nth: number) => ({ ...effectRun(worktree.projectId), key: `key-${String(nth)}` });
const made = (to: string) => world.worktrees.made(worktree, worktree.baseCommit, to);

describe('what was made on a branch', () => {
  it('are its commits, empty ones too, and each file that one of them touched, whatever it is called', async () => {
    const { commitFiles, commit } = {
      commitFiles: (nth: number) => world.worktrees.commitFiles(worktree, [], 'Milestone', checkpoint, run(nth)),
      commit: (nth: number) => world.worktrees.commit(worktree, `Work ${String(nth)}`, checkpoint, run(nth)),
    };
    const first = await commitFiles(1);
    const second = await commitFiles(2);
    writeFiles(worktree.folder, { '\nodd': 'x', 'a.txt': 'two\n', [`${'f'.repeat(40)}`]: 'no commit', 'tür/b': 'y' });
    const third = await commit(3);
    renameSync(join(worktree.folder, 'tür/b'), join(worktree.folder, '__proto__'));
    const fourth = await commit(4);
    expect(await made(worktree.baseCommit)).toEqual({ commits: [], files: [] });
    expect(await made(second)).toEqual({ commits: [first, second], files: [] });
    expect(await made(fourth)).toEqual({
      commits: [first, second, third, fourth],
      files: ['\nodd', '__proto__', 'a.txt', 'f'.repeat(40), 'tür/b'],
    });
  });

  it('is asked of git once for each commit, and refused for what names none', async () => {
    writeFiles(worktree.folder, { 'b.txt': 'x' });
    const head = await world.worktrees.commit(worktree, 'Work', checkpoint, run(1));
    const before = await made(head);
    renameSync(world.repo, `${world.repo}-away`);
    expect(await made(head)).toBe(before);
    await expect(world.again({}).made(worktree, worktree.baseCommit, head)).rejects.toMatchObject({
      code: 'REPO_NOT_FOUND',
    });
    renameSync(`${world.repo}-away`, world.repo);
    await expect(made('--all')).rejects.toMatchObject({ code: expect.stringMatching(/INVALID/) as string });
    await expect(made('0'.repeat(40))).rejects.toThrow();
  });
});
