import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkpoint, effectRun, newWorld, type World, writeFiles } from './worktree.fixture.js';
import type { Worktree } from './worktree.port.js';

let world: World;
let worktree: Worktree;
let commit: string;
const LONG = 2 * 1_024 * 1_024 + 5;

beforeAll(async () => {
  world = newWorld(process.env['PATH']);
  worktree = await world.open();
  const { folder } = worktree;
  mkdirSync(join(folder, 'docs'));
  const names = { 'docs/tür 😀.md': 'An odd name.\n', 'docs/*.md': 'A star.\n', ':(top)x.md': 'Magic.\n', empty: '' };
  writeFiles(folder, { 'docs/a.md': 'One.\nTwo.\n', 'run.sh': '#!/bin/sh\n', long: 'x'.repeat(LONG), ...names });
  chmodSync(join(folder, 'run.sh'), 0o755);
  symlinkSync('/etc/passwd', join(folder, 'link.md'));
  commit = await world.worktrees.commit(worktree, 'Work', checkpoint, effectRun(worktree.projectId));
});
afterAll(() => world.remove());

const at = async (path: string, of = commit) => {
  const found = await world.worktrees.fileAt(worktree, of, path);
  return found && { bytes: found.bytes, text: found.content.toString('utf8'), isCut: found.isCut };
};

describe('a file as a commit has it', () => {
  it('is read with its bytes, whatever the worktree has by now, and whatever it is called', async () => {
    expect(await at('docs/a.md')).toEqual({ bytes: 10, text: 'One.\nTwo.\n', isCut: false });
    writeFiles(worktree.folder, { 'docs/a.md': 'Other words.\n' });
    expect(await at('docs/a.md')).toMatchObject({ text: 'One.\nTwo.\n' });
    for (const [path, text] of [['docs/tür 😀.md', 'An odd name.\n'], ['docs/*.md', 'A star.\n'], [':(top)x.md', 'Magic.\n'], ['run.sh', '#!/bin/sh\n'], ['empty', '']] as const) expect(await at(path)).toMatchObject({ text }); // prettier-ignore
  });

  it('is cut where it is longer than anybody reads, and says how long it is', async () => {
    const long = await at('long');
    expect([long?.bytes, long?.isCut]).toEqual([LONG, true]);
    expect(long?.text.length).toBeLessThan(LONG);
  });

  it.each(['docs', 'docs/', 'docs/b.md', 'link.md', '', 'a\0b', '../a.txt', '/etc/passwd', 'docs/*', '.git/config'])(
    'is none where there is no plain file of this path: %j',
    async (path) => {
      expect(await at(path)).toBeNull();
    },
  );

  it('is not there before its commit, and no option passes for one', async () => {
    expect(await at('docs/a.md', worktree.baseCommit)).toBeNull();
    await expect(at('docs/a.md', '--output=x')).rejects.toMatchObject({ code: expect.stringMatching(/INVALID/) as string }); // prettier-ignore
  });

  it('is read also where its worktree is gone', async () => {
    const other = await world.open({ name: '002-other' });
    writeFiles(other.folder, { 'kept.md': 'Kept.\n' });
    const made = await world.worktrees.commit(other, 'Work', checkpoint, effectRun(other.projectId));
    await world.worktrees.remove(other);
    expect((await world.again().fileAt(other, made, 'kept.md'))?.content.toString('utf8')).toBe('Kept.\n');
  });

  it('is measured together with others, without those that are no plain files', async () => {
    const paths = ['docs/*.md', 'docs/', 'docs', 'link.md', 'run.sh', 'long', '../a.txt', 'gone.md'];
    const sizes = await world.worktrees.sizesAt(worktree, commit, paths);
    expect(Object.fromEntries(sizes)).toEqual({ 'docs/*.md': 8, 'run.sh': 10, long: LONG });
    expect((await world.worktrees.sizesAt(worktree, commit, ['docs/', ''])).size).toBe(0);
  });
});
