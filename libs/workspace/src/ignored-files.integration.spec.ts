import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newWorkshop, projectOn, runOn } from './git-workshop.fixture.js';
import type { GitWorkshop } from './git-workshop.js';
import { openWorktree, PretendedSandbox, read, write } from './setup/setup.fixture.js';
import type { VerifyReport, WorkspaceOrder } from './workshop.port.js';
import type { Worktree } from './worktree/index.js';

const PATH = process.env['PATH'] ?? '/usr/bin:/bin';
/** The first is ignored here, the second is not. */
const COPY = ['.env', 'conf/local.json'];
const SETUP = ['mkdir -p dist/a logs var/cache && echo 1 > dist/a/one.js && echo 1 > dist/two.js'];
const ORDER: WorkspaceOrder = { setup: SETUP, copy: COPY };

/** Files that no commit holds: nobody who has only the branch has them. */
describe('what git ignores', () => {
  let at: ReturnType<typeof openWorktree>;
  let workshop: GitWorkshop;
  let worktree: Worktree;
  beforeEach(async () => {
    at = openWorktree(
      { 'a.txt': 'a\n', '.gitignore': 'build/\ndist/\nlogs/\nvar/cache/\nnode_modules\n.env\n*.log\n' },
      PATH,
    );
    write(at.repo, { '.env': 'PORT=1', 'conf/local.json': '{}' });
    write(join(at.repo, '.git/info'), { exclude: 'secret.txt\n.qralph/\n' });
    restart();
    worktree = await entered();
  });
  afterEach(() => at.folder.remove());

  const restart = (): void => {
    const sandbox = new PretendedSandbox(at.commands, true, 'bubblewrap');
    ({ workshop } = newWorkshop(at, { pick: () => sandbox }));
  };
  const entered = (): Promise<Worktree> =>
    workshop.enter(projectOn(at), { commit: null, incarnation: 1 }, at.abort.signal);
  const setUp = async (order: WorkspaceOrder = ORDER): Promise<void> => {
    expect(await workshop.setUp(worktree, order, runOn(at))).toMatchObject({ status: 'done' });
  };
  const verify = (...commands: string[]): Promise<VerifyReport> =>
    workshop.verify(worktree, { ...ORDER, verify: commands }, runOn(at));
  const lay = (...paths: string[]): void =>
    write(worktree.folder, Object.fromEntries(paths.map((path) => [path, 'x'])));
  /** All that a command sees at its start, other than git's own. */
  const seen = async (): Promise<string[]> => {
    const { commands } = await verify("find . -mindepth 1 -not -name .git | sed 's,^./,,' | sort");
    return (commands[0]?.output ?? '').trim().split('\n');
  };
  const MADE = ['dist', 'dist/a', 'dist/a/one.js', 'dist/two.js', 'logs', 'var', 'var/cache'];
  const ALL = ['.env', '.gitignore', 'a.txt', 'conf', 'conf/local.json', ...MADE];

  it('is gone when verify commands begin, but for what set-up made and was copied', async () => {
    await setUp();
    lay('build/theme.txt', 'dist/new.js', 'dist/a/b/new.js', 'logs/x.log', 'sub/y.log', 'secret.txt');
    lay('.qralph/note', 'build/sp ace/!*[x]#', 'build/new\nline', '__proto__.log', '.env.qralph-part');
    execFileSync('git', ['init', '-q', join(worktree.folder, 'build/nested')], { env: { PATH } });
    symlinkSync(at.repo, join(worktree.folder, 'link.log'));
    expect(await seen()).toEqual(ALL);
    expect(read(at.repo, 'a.txt')).toBe('a\n');
  });

  it('is gone as empty folders are, which no commit holds either, and those with a file are not', async () => {
    await setUp();
    mkdirSync(join(worktree.folder, 'uploads/deep/er'), { recursive: true });
    mkdirSync(join(worktree.folder, 'half/empty'), { recursive: true });
    lay('half/full.txt');
    expect(await seen()).toEqual([...ALL, 'half', 'half/full.txt'].sort());
  });

  it('is what the commands themselves make, and is gone again before the next ones', async () => {
    await setUp({ copy: [] });
    const made = await verify('mkdir build && echo made > build/x', 'cat build/x');
    expect(made.commands.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(existsSync(join(worktree.folder, 'build/x'))).toBe(true);
    expect((await verify('cat build/x')).verdict).toBe('failed');
  });

  it('is none of it where there was nothing to set up', async () => {
    await setUp({ setup: [] });
    lay('dist/a/one.js');
    expect(await seen()).toEqual(['.gitignore', 'a.txt']);
  });

  it('is known over a restart, and made again with a worktree that was lost', async () => {
    await setUp();
    restart();
    worktree = await entered();
    lay('build/theme.txt', 'dist/new.js');
    expect(await seen()).toEqual(ALL);
    rmSync(worktree.folder, { recursive: true });
    worktree = await entered();
    expect(await workshop.isSetUp(worktree)).toBe(false);
    await setUp();
    expect(await seen()).toEqual(ALL);
  });

  it('does not pass for what set-up made because it was there when set-up was done again', async () => {
    await setUp();
    lay('build/theme.txt', 'dist/new.js', 'x.log');
    await setUp();
    expect(await seen()).toEqual(ALL);
  });

  it('is looked for in no folder that is a link out of the worktree', async () => {
    await setUp();
    renameSync(join(worktree.folder, 'conf'), join(at.folder.path, 'elsewhere'));
    symlinkSync(join(at.folder.path, 'elsewhere'), join(worktree.folder, 'conf'));
    expect((await verify('true')).changedDependencies).toEqual(['conf/local.json']);
    await expect(workshop.setUp(worktree, ORDER, runOn(at))).resolves.toMatchObject({ status: 'failed' });
    expect(readdirSync(join(at.folder.path, 'elsewhere'))).toEqual(['local.json']);
  });

  it.each(['dist/a/one.js', '.env', 'conf/local.json'])(
    'is told of where set-up put it and somebody changed it, until it is set up again: %s',
    async (path) => {
      await setUp();
      expect((await verify('true')).changedDependencies).toBeUndefined();
      lay(path);
      expect((await verify('true')).changedDependencies).toEqual([path]);
      expect(await workshop.isSetUp(worktree)).toBe(false);
      expect((await verify('true')).changedDependencies).toEqual([path]);
      await setUp();
      expect(await workshop.isSetUp(worktree)).toBe(true);
      expect((await verify('true')).changedDependencies).toBeUndefined();
    },
  );

  it('is nobody’s change where the verify commands write to it themselves', async () => {
    await setUp();
    const build = 'echo 2 > dist/two.js; echo 2 > dist/three.js';
    expect((await verify(build)).changedDependencies).toBeUndefined();
    lay('dist/two.js', 'dist/three.js', 'dist/four.js');
    const { commands, changedDependencies } = await verify('ls dist');
    expect([changedDependencies, commands[0]?.output.trim().split('\n')]).toEqual([undefined, ['a', 'two.js']]);
  });
});

/** It is in no commit either. */
describe('what lies in HOME', () => {
  let at: ReturnType<typeof openWorktree>;
  let workshop: GitWorkshop;
  let worktree: Worktree;
  let home: string;
  const setup = ['mkdir -p ~/.cargo/registry/x && echo registry=there > ~/.npmrc'];
  beforeEach(async () => {
    at = openWorktree({ 'a.txt': 'a\n' }, PATH);
    const sandbox = new PretendedSandbox(at.commands, true, 'bubblewrap');
    ({ workshop } = newWorkshop(at, { pick: () => sandbox }));
    worktree = await workshop.enter(projectOn(at), { commit: null, incarnation: 1 }, at.abort.signal);
    await setUp();
    ({ home } = await workshop.place(worktree));
  });
  afterEach(() => at.folder.remove());

  const setUp = (): Promise<unknown> => workshop.setUp(worktree, { setup }, runOn(at));
  const verify = (...commands: string[]): Promise<VerifyReport> =>
    workshop.verify(worktree, { verify: commands }, runOn(at));
  const seen = async (): Promise<string> => (await verify('cd; find . -type f | sort')).commands[0]?.output ?? '';

  it('is what set-up put there and what tools keep in caches, whatever else somebody laid there', async () => {
    write(home, {
      'theme.txt': 'x',
      '.cargo/config.toml': 'x',
      '.config/go/env': 'x',
      '.cargo/registry/x/y.crate': 'x',
    });
    expect(await seen()).toBe('./.cargo/registry/x/y.crate\n./.npmrc\n');
    expect((await verify('echo made > ~/made')).changedDependencies).toBeUndefined();
    expect(await seen()).toBe('./.cargo/registry/x/y.crate\n./.npmrc\n');
  });

  it('is told of where somebody changed what set-up put there, until it is set up again', async () => {
    await verify('true');
    write(home, { '.npmrc': 'script-shell=./fake.sh' });
    expect((await verify('true')).changedDependencies).toEqual(['~/.npmrc']);
    expect(await workshop.isSetUp(worktree)).toBe(false);
    write(home, { 'left.txt': 'x' });
    await setUp();
    expect((await verify('grep there ~/.npmrc && ! ls ~/left.txt')).commands[0]?.exitCode).toBe(0);
  });

  it('is nothing that a link in its place leads to', async () => {
    rmSync(home, { recursive: true });
    symlinkSync(at.repo, home);
    await verify('true');
    await setUp();
    expect(read(at.repo, 'a.txt')).toBe('a\n');
  });
});
