import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkpoint, effectRun, gitIn, newWorld, read, type World, writeFiles } from './worktree.fixture.js';
import type { Worktree } from './worktree.port.js';

const CHECK = '.qralph-checks/check.py';
const OTHER = 'test/check_b.py';

describe.each(['', '.*\n!.gitignore\n', '*\n!.gitignore\n!*.ts\n!*/\n'])(
  'hidden snapshots, if .gitignore says %j',
  (ignores) => {
    let world: World;
    let worktree: Worktree;
    let hiding: Worktree;
    beforeEach(async () => {
      world = newWorld(process.env['PATH']);
      world.commit({ '.gitignore': ignores });
      worktree = await world.open();
      hiding = { ...worktree, hidesSnapshots: true };
    });
    afterEach(() => world.remove());

    const author = async (more: Readonly<Record<string, string>> = {}): Promise<string> => {
      const leftovers = { '.qralph-checks/__pycache__/check.pyc': 'bytecode', '.qralph-checks/node_modules/a.js': '' };
      writeFiles(worktree.folder, { [CHECK]: 'assert one', ...leftovers, ...more });
      return world.worktrees.snapshot(hiding);
    };

    it('hold the files of checks, whatever is ignored, without caches', async () => {
      const commit = await author();
      const { files } = await world.worktrees.diff(hiding, worktree.baseCommit, commit);
      expect(files.map(({ path, status }) => `${status} ${path}`)).toEqual([`added ${CHECK}`]);
      expect((await world.worktrees.fileAt(hiding, commit, CHECK))?.content.toString()).toBe('assert one');
    });

    it('are found by no command on the repository, and leave nothing in the worktree', async () => {
      const before = world.git('cat-file', '--batch-all-objects', '--batch-check');
      const refs = world.git('for-each-ref');
      const commit = await author({ [OTHER]: 'assert two' });
      await world.worktrees.reset(worktree, worktree.baseCommit);
      expect(world.git('cat-file', '--batch-all-objects', '--batch-check')).toBe(before);
      expect(world.git('for-each-ref')).toBe(refs);
      expect(() => world.git('cat-file', '-e', commit)).toThrow();
      const inside = gitIn(worktree.folder);
      expect(inside('log', '--all', '--name-only')).not.toContain('check');
      expect(inside('ls-files')).not.toContain('check');
      expect((await readdir(worktree.folder)).includes('.qralph-checks')).toBe(false);
      expect(await world.worktrees.snapshot(worktree)).toBe(worktree.baseCommit);
    });

    it('are the same again for the same files, and can be gone back to by another process', async () => {
      const first = await author();
      expect(await world.worktrees.snapshot(hiding)).toBe(first);
      const again = world.again();
      const { projectId, repo } = worktree;
      await again.open({ projectId, name: '001-first-work', repo, ref: 'main' }, new AbortController().signal);
      writeFiles(worktree.folder, { [CHECK]: 'half' });
      await again.reset(hiding, first);
      expect(read(worktree.folder, CHECK)).toBe('assert one');
      expect(await again.snapshot(hiding)).toBe(first);
    });

    it('do not keep a file out of a later commit that holds the same', async () => {
      await author({ 'src/same.ts': 'the same' });
      await world.worktrees.reset(worktree, worktree.baseCommit);
      expect(existsSync(join(worktree.folder, 'src/same.ts'))).toBe(false);
      writeFiles(worktree.folder, { 'src/same.ts': 'the same' });
      const commit = await world.worktrees.commit(worktree, 'Work', checkpoint, effectRun(worktree.projectId));
      expect(world.git('show', `${commit}:src/same.ts`)).toBe('the same');
      expect(world.git('fsck', '--full', '--no-dangling')).toBe('');
    });

    it('leave the refs of the repository whole if their author has moved its branch', async () => {
      const first = await author();
      const inside = gitIn(worktree.folder);
      inside('commit', '-q', '--allow-empty', '-m', 'by the author');
      await world.worktrees.reset(hiding, first);
      expect(await world.worktrees.head(worktree)).toBe(worktree.baseCommit);
      expect(await world.worktrees.snapshot(hiding)).toBe(first);
      expect(world.git('fsck', '--full', '--no-dangling')).toBe('');
    });

    it('are gone with the worktree', async () => {
      await author();
      await world.worktrees.remove(worktree);
      expect(existsSync(join(world.root, '.hidden', worktree.projectId))).toBe(false);
    });
  },
);

it('makes no new snapshot if nothing has changed', async () => {
  const world = newWorld(process.env['PATH']);
  try {
    const worktree = await world.open();
    expect(await world.worktrees.snapshot({ ...worktree, hidesSnapshots: true })).toBe(worktree.baseCommit);
  } finally {
    await world.remove();
  }
});
