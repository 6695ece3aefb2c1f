import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WorktreeKeeper } from './worktree-keeper.js';
import { checkpoint, effectRun, newWorld, read, type World, writeFiles } from './worktree.fixture.js';

let world: World;
let traces: string;
beforeEach(() => {
  world = newWorld(process.env['PATH']);
  traces = join(world.folder, 'traces');
  mkdirSync(traces);
});
afterEach(() => world.remove());

/** A program that leaves a trace of having been started. */
function trap(name: string): string {
  const file = join(world.folder, `trap-${name.replaceAll(/[^a-z]/gi, '-')}`);
  writeFileSync(file, `#!/bin/sh\ntouch '${traces}/${name.replaceAll(/[^a-z]/gi, '-')}'\ncat\n`);
  chmodSync(file, 0o755);
  return file;
}

const PROGRAMS = [
  'core.fsmonitor', 'core.sshCommand', 'core.editor', 'core.pager', 'core.gitProxy', 'core.alternateRefsCommand',
  'core.askPass', 'filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process', 'diff.external', 'diff.evil.command',
  'diff.evil.textconv', 'merge.evil.driver', 'gpg.program', 'gpg.openpgp.program', 'credential.helper', 'sequence.editor',
  'interactive.diffFilter', 'trailer.qralph-effect.command', 'trailer.qralph-effect.cmd', 'pager.log', 'pager.diff', 'pager.show',
  'uploadpack.packObjectsHook', 'remote.origin.uploadpack', 'submodule.evil.update', 'alias.status', 'alias.add',
  'maintenance.strategy', 'hook.evil.command',
]; // prettier-ignore

const HOOKS = [
  'post-checkout', 'pre-commit', 'commit-msg', 'prepare-commit-msg', 'post-commit', 'reference-transaction',
  'post-index-change', 'fsmonitor-watchman', 'post-rewrite', 'pre-auto-gc', 'pre-push', 'post-merge',
]; // prettier-ignore

/** Everything that is ever done with a worktree. */
async function doEverything(): Promise<void> {
  const worktree = await world.open();
  const { worktrees } = world;
  writeFiles(worktree.folder, { 'a.txt': 'changed\n', 'new.txt': 'new\n' });
  const snapshot = await worktrees.snapshot(worktree);
  const commit = await worktrees.commit(worktree, 'Work', checkpoint, effectRun(worktree.projectId));
  await worktrees.findCommit(worktree, effectRun(worktree.projectId));
  expect((await worktrees.diff(worktree, worktree.baseCommit, commit)).files).toHaveLength(2);
  await worktrees.reset(worktree, snapshot);
  await worktrees.head(worktree);
  const keeper = new WorktreeKeeper(worktrees);
  await keeper.witnesses(worktree.projectId, world.repo);
  await keeper.fork(worktree.projectId, 'fork', world.repo, snapshot);
  await world.open({ projectId: 'fork', name: '002-fork' });
  await worktrees.remove(worktree);
}

it('starts no program that the repository names, in its configuration, its attributes or as a hook', async () => {
  world.commit({ '.gitattributes': '* filter=evil diff=evil merge=evil text=auto\n' });
  for (const key of PROGRAMS) world.git('config', key, trap(key));
  world.git('config', 'commit.gpgSign', 'true');
  world.git('config', 'filter.evil.required', 'true');
  world.git('config', 'gc.auto', '1');
  world.git('config', 'include.path', '../more');
  world.git('config', 'core.untrackedCache', 'true');
  mkdirSync(join(world.repo, '.git/hooks'), { recursive: true });
  mkdirSync(join(world.folder, 'hooks'));
  for (const hook of HOOKS) {
    for (const folder of [join(world.repo, '.git/hooks'), join(world.folder, 'hooks')]) {
      writeFileSync(join(folder, hook), `#!/bin/sh\ntouch '${traces}/${hook}'\n`);
      chmodSync(join(folder, hook), 0o755);
    }
  }
  world.git('config', 'core.hooksPath', join(world.folder, 'hooks'));
  await doEverything();
  expect(readdirSync(traces)).toEqual([]);
  // The traps are real: the user's own git runs into them.
  world.write({ 'a.txt': 'by the user' });
  expect(() => world.git('commit', '-q', '-a', '-m', 'trapped')).toThrow();
  expect(readdirSync(traces)).toEqual(expect.arrayContaining(['core-fsmonitor', 'filter-evil-process']));
});

it('works where the repository’s configuration would lead git astray', async () => {
  world.git('config', 'core.worktree', world.folder);
  world.git('config', 'core.bare', 'true');
  world.git('config', 'core.excludesFile', join(world.folder, 'excludes'));
  world.git('config', 'extensions.worktreeConfig', 'true');
  world.git('config', 'core.repositoryFormatVersion', '1');
  writeFileSync(join(world.folder, 'excludes'), '*\n');
  await doEverything();
});

it('keeps the repository’s way with line ends', async () => {
  world.git('config', 'core.autocrlf', 'true');
  const worktree = await world.open();
  expect(read(worktree.folder, 'a.txt')).toBe('one\r\n');
  writeFiles(worktree.folder, { 'a.txt': 'one\r\ntwo\r\n' });
  const snapshot = await world.worktrees.snapshot(worktree);
  expect(world.git('cat-file', '-p', `${snapshot}:a.txt`)).toBe('one\ntwo');
});

it('follows a configuration that changes', async () => {
  const worktree = await world.open();
  await world.worktrees.remove(worktree);
  world.git('config', 'core.autocrlf', 'true');
  const again = await world.open({ projectId: worktree.projectId });
  expect(read(again.folder, 'a.txt')).toBe('one\r\n');
});

it('never follows the .git of the folder, nor repositories made inside it', async () => {
  const worktree = await world.open();
  const evil = join(worktree.folder, 'evil');
  world.git('init', '-q', evil);
  for (const folder of [evil, join(evil, 'deeper')]) {
    if (!existsSync(join(folder, '.git'))) world.git('init', '-q', folder);
    world.git('-C', folder, 'config', 'core.fsmonitor', trap('nested-fsmonitor'));
    writeFiles(folder, { 'file.txt': 'text\n' });
  }
  world.git('-C', join(evil, 'deeper'), '-c', 'core.fsmonitor=false', 'add', 'file.txt');
  world.git('-C', join(evil, 'deeper'), '-c', 'core.fsmonitor=false', 'commit', '-q', '-m', 'nested');
  writeFileSync(join(worktree.folder, '.git'), 'gitdir: evil/.git\n');
  mkdirSync(join(worktree.folder, 'src', '.git'));
  const snapshot = await world.worktrees.snapshot(worktree);
  expect(world.git('ls-tree', '-r', '--name-only', snapshot).split('\n')).toEqual([
    '.gitignore', 'a.txt', 'evil/deeper/file.txt', 'evil/file.txt', 'src/b.ts',
  ]); // prettier-ignore
  world.git('init', '-q', join(worktree.folder, 'another'));
  await world.worktrees.reset(worktree, worktree.baseCommit);
  expect(readdirSync(worktree.folder, { recursive: true }).sort()).toEqual([
    '.git',
    '.gitignore',
    'a.txt',
    'src',
    'src/b.ts',
  ]);
  expect(read(worktree.folder, '.git')).toContain(worktree.projectId);
  expect(readdirSync(traces)).toEqual([]);
});

it('asks the repository, and not what the folder’s .git points to, whether a path is tracked', async () => {
  const worktree = await world.open();
  const evil = join(worktree.folder, 'evil');
  world.git('init', '-q', '-b', 'main', evil);
  writeFiles(evil, { 'node_modules/x.js': '' });
  world.git('-C', evil, 'add', '-A');
  world.git('-C', evil, 'commit', '-q', '-m', 'nested');
  writeFileSync(join(worktree.folder, '.git'), 'gitdir: evil/.git\n');
  const { worktrees } = world;
  const isTracked = (path: string): Promise<boolean> => worktrees.isTracked(worktree, path);
  expect([await isTracked('node_modules'), await isTracked('src'), await isTracked('src/b.ts')]).toEqual([
    false,
    true,
    true,
  ]);
  expect([await isTracked('*'), await isTracked(':(top)src')]).toEqual([false, false]);
});
