import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WorldError } from '#kernel';
import { resetTo } from './reset.js';
import { checkpoint, effectRun, newWorld, read, type World, writeFiles } from './worktree.fixture.js';
import type { Worktree } from './worktree.port.js';

vi.mock('./reset.js', { spy: true });

let world: World;
let worktree: Worktree;
beforeEach(async () => {
  world = newWorld(process.env['PATH']);
  worktree = await world.open();
});
afterEach(() => world.remove());

const commitFiles = (files: readonly { path: string; source: string }[], step?: string): Promise<string> =>
  world.worktrees.commitFiles(worktree, files, 'Reviewed', checkpoint, effectRun(worktree.projectId, step));
const commits = (): string[] =>
  world.git('rev-list', '--reverse', `${worktree.baseCommit}..${worktree.branch}`).split('\n').filter(Boolean);

it('a milestone whose reset failed after the commit is not committed twice, and its reset is made good', async () => {
  const source = join(world.folder, 'PLAN.md');
  writeFileSync(source, 'the plan\n');
  writeFiles(worktree.folder, { 'a.txt': 'nobody verified this\n' });
  vi.mocked(resetTo).mockRejectedValueOnce(new WorldError('DISK_FULL', 'no space left on the disk'));
  await expect(commitFiles([{ path: 'docs/PLAN.md', source }])).rejects.toMatchObject({ code: 'DISK_FULL' });
  const [made, ...others] = commits();
  expect([others, read(worktree.folder, 'a.txt')]).toEqual([[], 'nobody verified this\n']);
  // What it is given now may be another text: the effect has happened.
  writeFileSync(source, 'another plan\n');
  expect(await commitFiles([{ path: 'docs/PLAN.md', source }])).toBe(made);
  expect(commits()).toEqual([made]);
  expect([read(worktree.folder, 'a.txt'), read(worktree.folder, 'docs/PLAN.md')]).toEqual(['one\n', 'the plan\n']);
});

it('another milestone is another commit, also where nothing has changed', async () => {
  const [first, second] = [await commitFiles([]), await commitFiles([], 'other')];
  expect(commits()).toEqual([first, second]);
});
