import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkpoint, effectRun, newWorld, type World, writeFiles } from './worktree.fixture.js';
import type { Worktree } from './worktree.port.js';

let world: World;
let worktree: Worktree;
beforeEach(async () => {
  world = newWorld(process.env['PATH']);
  worktree = await world.open();
});
afterEach(() => world.remove());

const tree = (commit: string): Promise<string> => world.worktrees.tree(worktree, commit);
const whole = (commit: string): string => world.git('rev-parse', `${commit}^{tree}`);
const committed = (step: string): Promise<string> =>
  world.worktrees.commit(worktree, step, checkpoint, effectRun(worktree.projectId, step));

it('the tree of a commit is its own where it holds no readable files', async () => {
  expect(await tree(worktree.baseCommit)).toBe(whole(worktree.baseCommit));
  writeFiles(worktree.folder, { 'docs/.qralph/x': '', '.qralphs': '', '.qralph.md': '' });
  const commit = await committed('alike');
  expect(await tree(commit)).toBe(whole(commit));
});

it('the tree of a commit stays the same when readable files are put beside it, whatever its names are', async () => {
  writeFiles(worktree.folder, { 'sp ace\t!*': '', 'new\nline': '', ünicode: '', __proto__x: '', 'z/run.sh': '' });
  writeFileSync(Buffer.concat([Buffer.from(`${worktree.folder}/`), Buffer.from([0xff, 0xfe])]), 'no text\n');
  const accepted = await committed('odd');
  const source = join(world.folder, 'UAT.md');
  writeFileSync(source, 'accepted\n');
  const readable = [{ path: '.qralph/projects/001-first-work/UAT.md', source }];
  const last = await world.worktrees.commitFiles(
    worktree,
    readable,
    'Complete',
    checkpoint,
    effectRun(worktree.projectId),
  );
  expect(whole(last)).not.toBe(whole(accepted));
  expect(await tree(last)).toBe(whole(accepted));
  expect(await tree(accepted)).toBe(whole(accepted));
});

it('the tree of a commit changes with any other file, and is empty where it holds nothing else', async () => {
  world.commit({ '.qralph/projects/001-x/UAT.md': 'x' });
  const [before, after] = [
    world.git('rev-parse', 'HEAD'),
    world.commit({ 'a.txt': 'two\n', '.qralph/projects/001-x/UAT.md': 'y' }),
  ];
  expect(await tree(before)).toBe(whole(worktree.baseCommit));
  expect(await tree(after)).not.toBe(await tree(before));
  world.git('rm', '-q', '-r', 'a.txt', 'src', '.gitignore');
  const alone = world.commit({});
  expect(await tree(alone)).toBe(world.git('hash-object', '-t', 'tree', '/dev/null'));
});
