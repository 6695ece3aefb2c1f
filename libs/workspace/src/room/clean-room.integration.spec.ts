import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasNamespaces } from '../sandbox/sandbox.fixture.js';
import { inodeOf, write } from '../setup/setup.fixture.js';
import type { WorkspaceOrder } from '../workshop.port.js';
import { openRoomWorld, type RoomWorld } from './clean-room.fixture.js';

const PATH = process.env['PATH'] ?? '/usr/bin:/bin';
const DEPENDENCIES = ['node_modules/one/index.js', '.venv/lib/mod.py', '.venv/lib/__pycache__/mod.pyc'];
const CACHES = ['.m2/repository/a.jar', 'go/pkg/mod/a.go', '.cargo/registry/a.crate', '.gradle/caches/a.bin'];
const make = (path: string): string => `mkdir -p "$(dirname "${path}")" && echo set-up > "${path}"`;
const SETUP = [...DEPENDENCIES, 'dist/built.js', ...CACHES.map((path) => `$HOME/${path}`)].map(make).join(' && ');
const ORDER: WorkspaceOrder = { setup: [SETUP], copy: ['.env'] };
/** Every file outside of git, with its content. */
const LIST = `{ find . "$HOME" -path ./.git -prune -o -type f -print; } | sort | xargs grep -H "" | sed "s,^$HOME,~,"`;

const FILES = {
  '.gitignore': 'node_modules\n.venv\ndist\n.env\n*.log\n',
  'a.txt': 'a\n',
  'src/b.txt': 'b\n',
  'test/c.txt': 'c\n',
};

describe.each<RoomWorld>(['walls', 'no walls'])('the clean room with %s', (kind) => {
  let world: Awaited<ReturnType<typeof openRoomWorld>>;
  beforeEach(async () => {
    world = await openRoomWorld(PATH, FILES, kind);
    write(world.parts.at.repo, { '.env': 'PORT=1\n' });
    await world.setUp(ORDER);
  });
  afterEach(() => world.remove());

  const FRESH = [
    ...['./.env:PORT=1', './.gitignore:*.log', './.gitignore:.env', './.gitignore:.venv', './.gitignore:dist'],
    ...['./.gitignore:node_modules', './a.txt:a', './dist/built.js:set-up', './src/b.txt:b', './test/c.txt:c'],
    ...DEPENDENCIES.map((path) => `./${path}:set-up`),
    ...CACHES.map((path) => `~/${path}:set-up`),
  ].sort();
  const list = async (tree = {}): Promise<string[]> => (await world.say(ORDER, LIST, tree)).split('\n').sort();
  const git = (command: string, tree = {}): Promise<string> => world.say(ORDER, command, tree);

  it('has the files of the commit, what set-up made, and copied files', async () => {
    expect(await list()).toEqual(FRESH);
  });

  it('does not see what an agent wrote among dependencies, into HOME or into the worktree', async () => {
    const { folder } = world.worktree;
    for (const path of DEPENDENCIES) writeFileSync(join(folder, path), 'agent\n');
    write(folder, { 'node_modules/.cache/x': 'agent', '.venv/lib/__pycache__/new.pyc': 'agent', 'a.txt': 'agent' });
    for (const path of CACHES) writeFileSync(join(world.home, path), 'agent\n');
    write(world.home, { '.npmrc': 'agent', '.cache/go-build/x': 'agent', '.m2/repository/new.jar': 'agent' });
    expect(await list()).toEqual(FRESH);
    await world.restart();
    // Set-up in the worktree again, with caches that an agent wrote to.
    await world.setUp(ORDER);
    expect(await list()).toEqual(FRESH);
  });

  it('begins every run with the same files, whatever the last one wrote', async () => {
    const spoil = [
      'echo run > a.txt; rm -r src; mkdir -p new/deep empty dist; echo run > new/deep/x; echo run > dist/built.js',
      'echo run > test/y.log; ln -s /etc new/link; echo run > dist/more.js; echo PORT=2 > .env; chmod 0 test/c.txt',
      'mkdir test/.git; echo run > test/.git/config; git init -q new/repo; chmod 0 new; mkdir -p "$HOME/.config"',
      'echo run > "$HOME/.config/x"; mkdir -p "$HOME/.cache/go-build"; echo run > "$HOME/.cache/go-build/x"',
      'echo run > node_modules/.cache/x; echo run > "$HOME/.m2/repository/new.jar"; echo run > node_modules/new.js',
      'echo run > node_modules/one/index.js; true',
    ];
    await world.verify(ORDER, {}, ...spoil);
    expect(await list()).toEqual(FRESH);
    expect(existsSync(join(world.tree, 'empty'))).toBe(false);
    expect(existsSync(join(world.tree, 'test/.git'))).toBe(false);
  });

  it('rewrites only files that differ', async () => {
    await list();
    const inodes = (): number[] => ['a.txt', 'src/b.txt', 'dist/built.js'].map((path) => inodeOf(world.tree, path));
    const before = inodes();
    const commit = world.commit({ 'test/c.txt': 'changed\n' });
    expect(await world.say(ORDER, 'cat test/c.txt', { commit })).toBe('changed');
    expect(await list()).toEqual(FRESH);
    // Set-up has made files from the sources, so it has run again for the other tree.
    expect(inodes().slice(0, 2)).toEqual(before.slice(0, 2));
  });

  it('shows git a detached commit of the repository', async () => {
    const commit = world.commit({ 'a.txt': 'new\n' });
    expect(await git('git rev-parse HEAD', { commit })).toBe(commit);
    expect(await git('git log --format=%s -1 HEAD', { commit })).toBe('Change');
    expect(await git('git symbolic-ref -q HEAD || echo detached', { commit })).toBe('detached');
    expect(await git('git status --porcelain', { commit })).toBe('');
    expect(world.parts.at.git('branch', '--list', '*room*')).toBe('');
  });

  it('shows no history and no repository to a run that must not see one, and shows it to the next run', async () => {
    const commit = world.commit({ 'a.txt': 'new\n' });
    const look = ['log --oneline', 'diff HEAD~1', 'status', 'rev-parse HEAD', 'for-each-ref', 'show HEAD:a.txt'];
    const command = look.map((one) => `git ${one} >out 2>/dev/null; echo "$? $(cat out)"`).join('; ');
    const tree = { isWithoutGit: true, files: [{ path: 'checks/one.sh', content: command }] };
    const onBase = await git('sh checks/one.sh', tree);
    expect(onBase).toBe(look.map(() => '128').join(' \n'));
    expect(await git('sh checks/one.sh', { ...tree, commit })).toBe(onBase);
    expect(await git('git init -q sub && git -C sub status --porcelain --branch', tree)).toMatch(/^## No commits yet/);
    expect(await git('cat a.txt; git rev-parse HEAD', { commit })).toBe(`new\n${commit}`);
  });

  it('writes every file again if attributes of files change', async () => {
    const commit = world.commit({ '.gitattributes': '*.txt text eol=crlf\n' });
    const lines = 'od -c a.txt src/b.txt | grep -c "r.*n" || true';
    expect(await git(lines, { commit })).not.toBe('0');
    expect(await git(lines)).toBe('0');
  });

  it('takes paths from another commit and removes those that it does not have', async () => {
    const commit = world.commit({ 'a.txt': 'new\n', 'test/c.txt': null, 'test/d.txt': 'd\n', 'src/e/f.txt': 'f\n' });
    const from = world.worktree.baseCommit;
    const overlays = [{ from, paths: ['test', 'src/e/f.txt', 'not/there'] }];
    const tracked = 'git ls-files | xargs grep -H "" | grep -v gitignore';
    expect((await git(tracked, { commit, overlays })).split('\n')).toEqual([
      'a.txt:new',
      'src/b.txt:b',
      'test/c.txt:c',
    ]);
    expect(await git('git rev-parse HEAD', { commit, overlays })).toBe(commit);
    expect((await git(tracked, { commit })).split('\n')).toContain('test/d.txt:d');
    const turned = world.commit({ test: null, 'test.txt': '' });
    expect(await git('cat test/c.txt', { commit: turned, overlays })).toBe('c');
  });

  it('has extra files during the run, also in place of tracked ones, and not afterwards', async () => {
    const files = [
      { path: 'checks/one.sh', content: 'echo checked\n' },
      { path: 'a.txt', content: 'extra\n' },
    ];
    expect(await git('sh checks/one.sh; cat a.txt', { files })).toBe('checked\nextra');
    expect(existsSync(join(world.tree, 'checks/one.sh'))).toBe(false);
    expect(await list()).toEqual(FRESH);
  });

  it('refuses extra files behind links, in folders and among dependencies', async () => {
    const outside = join(world.parts.at.folder.path, 'outside');
    mkdirSync(outside);
    rmSync(join(world.parts.at.repo, 'src'), { recursive: true });
    symlinkSync(outside, join(world.parts.at.repo, 'src'));
    world.parts.at.git('add', '-A');
    world.parts.at.git('-c', 'user.name=a', '-c', 'user.email=a', 'commit', '-q', '-m', 'Link');
    const commit = world.parts.at.git('rev-parse', 'HEAD').trim();
    for (const path of ['src/x.js', 'test', 'node_modules/x.js', '../x.js', '/x.js', '.git/x']) {
      const files = [{ path, content: 'x' }];
      await expect(world.verify(ORDER, { commit, files }, 'true'), path).rejects.toMatchObject({
        code: 'CLEAN_PATH_INVALID',
      });
    }
    expect(readdirSync(outside)).toEqual([]);
    const overlays = [{ from: world.worktree.baseCommit, paths: ['src'] }];
    expect(await git('cat src/b.txt', { commit, overlays })).toBe('b');
    expect(readdirSync(outside)).toEqual([]);
  });

  it('recovers from a process that was killed at any point', async () => {
    await list();
    const { repo } = world.parts.at;
    const entry = join(repo, '.git/worktrees', `${world.worktree.projectId}-room`);
    const stores = join(world.room, 'stores');
    const damages: (() => void)[] = [
      () => write(entry, { 'index.lock': '', 'overlay-index': 'x', 'overlay-index.lock': '' }),
      () => write(entry, { index: 'half', HEAD: '' }),
      () => rmSync(entry, { recursive: true }),
      () => rmSync(world.tree, { recursive: true }),
      () => write(world.tree, { 'dist/half': 'x', 'node_modules/half/x.js': 'x', 'a.txt': 'half' }),
      () => write(stores, { '.part-x/tree/node_modules/half.js': 'x' }),
      () => readdirSync(stores).forEach((name) => rmSync(join(stores, name, 'store.json'))),
      () => write(world.room, { 'placed.json': '{"store":', 'placed.json.part': '' }),
      () => chmodSync(join(world.tree, 'src'), 0),
      () => rmSync(world.room, { recursive: true }),
    ];
    for (const damage of damages) {
      damage();
      await world.restart();
      expect(await list()).toEqual(FRESH);
      expect(readdirSync(stores).filter((name) => name.startsWith('.'))).toEqual([]);
    }
  });

  it('is removed with the project', async () => {
    await list();
    await world.workshop.leave(world.parts.project);
    await world.workshop.leave(world.parts.project);
    expect(existsSync(world.room)).toBe(false);
    expect(readdirSync(join(world.parts.data, 'rooms'))).toEqual([]);
    expect(world.parts.at.git('worktree', 'list', '--porcelain')).not.toContain('room');
  });

  it('says why set-up failed, and runs no command', async () => {
    const order = { setup: ['echo no network >&2; exit 3'] };
    expect(await world.verify(order, {}, 'true')).toMatchObject({
      verdict: 'failed',
      commands: [],
      setupFailure: { output: expect.stringContaining('no network') as string },
    });
  });

  it('runs the verify commands of the order, or those of the tree', async () => {
    const tree = { commit: world.commit({ Makefile: 'test:\n\techo made\n' }) };
    const verify = (order: WorkspaceOrder) =>
      world.workshop.verifyClean(world.worktree, order, { tree, commands: null }, world.parts.run);
    expect(await verify({ ...ORDER, verify: ['echo given'] })).toMatchObject({ commands: [{ command: 'echo given' }] });
    expect(await verify(ORDER)).toMatchObject({ commands: [{ command: 'make test' }] });
  });
});

describe.runIf(hasNamespaces())('the clean room in the limited sandbox', () => {
  it('has what set-up made under the path of the worktree, and cannot write to it', async () => {
    const world = await openRoomWorld(PATH, FILES, 'limited walls');
    try {
      await world.setUp({ setup: [SETUP] });
      writeFileSync(join(world.worktree.folder, DEPENDENCIES[0] ?? ''), 'agent\n');
      const order = { setup: [SETUP] };
      expect(await world.say(order, `cat "$PWD/${DEPENDENCIES[0] ?? ''}"; pwd; git rev-parse HEAD`)).toBe(
        `set-up\n${world.worktree.folder}\n${world.worktree.baseCommit}`,
      );
      expect(await world.say(order, 'touch node_modules/x || echo refused; touch node_modules/.cache/x')).toContain(
        'refused',
      );
    } finally {
      await world.remove();
    }
  });
});
