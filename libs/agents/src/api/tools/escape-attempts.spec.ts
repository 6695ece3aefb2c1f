import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync, linkSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync,
  symlinkSync, writeFileSync,
} from 'node:fs'; // prettier-ignore
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inFolder } from '../guard/rooted.js';
import { namesOf } from '../guard/path-names.js';
import { called } from './called.fixture.js';

const SECRET = 'the secret outside';

/** A worktree with every trap in it that an agent, a command or a repository can set. */
let base = '';
let root = '';
let socket: Server;

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'qralph-test-escape-'));
  root = join(base, 'worktree');
  const outside = join(base, 'outside');
  for (const folder of [
    'worktree',
    'outside',
    'worktree/src',
    'worktree/.git',
    'worktree/sub/.git',
    'worktree/.qralph',
  ]) {
    mkdirSync(join(base, folder), { recursive: true });
  }
  mkdirSync(join(root, 'node_modules/dep'), { recursive: true });
  writeFileSync(join(outside, 'secret.txt'), SECRET);
  for (const file of ['.git/config', 'sub/.git/config', '.qralph/state.json']) writeFileSync(join(root, file), SECRET);
  writeFileSync(join(root, 'src/plain.txt'), 'plain');
  symlinkSync(join(outside, 'secret.txt'), join(root, 'link-to-file'));
  symlinkSync('../outside/secret.txt', join(root, 'relative-link'));
  symlinkSync(outside, join(root, 'link-to-folder'));
  symlinkSync('src', join(root, 'link-inside'));
  symlinkSync('.git', join(root, 'innocent'));
  symlinkSync('nowhere', join(root, 'dangling'));
  symlinkSync('/proc/self', join(root, 'proc'));
  symlinkSync('/dev/zero', join(root, 'zero'));
  linkSync(join(outside, 'secret.txt'), join(root, 'hard-link.txt'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  socket = createServer();
  await new Promise<void>((resolve) => socket.listen(join(root, 'socket'), resolve));
});

afterAll(async () => {
  await new Promise((resolve) => socket.close(resolve));
  rmSync(base, { recursive: true });
});

const paths: readonly string[] = [
  // elsewhere by its name
  '/etc/passwd', '//etc/passwd', '../outside/secret.txt', 'src/../../outside/secret.txt', 'src/..', '..', './..',
  '../worktree/src/plain.txt', 'src/plain.txt\0', '\0', 'src\0/../../outside/secret.txt', 'src/\ud800.txt',
  '/proc/self/environ', '/dev/zero', `${'a/'.repeat(65)}x`, 'a'.repeat(256), 'x'.repeat(5_000),
  // through a link
  'link-to-file', 'relative-link', 'link-to-folder/secret.txt', 'link-inside/plain.txt', 'innocent/config', 'dangling',
  'proc/environ', 'proc/cwd/secret.txt', 'proc/root/etc/passwd', 'zero', 'link-to-folder/../outside/secret.txt',
  // git's and ours, by every name that some file system takes for it
  '.git/config', '.git', 'sub/.git/config', './.git/config', './/.git//config', '.GIT/config', '.Git/config', '.gIT',
  '.git./config', '.git /config', '.git. . ./config', '.git::$INDEX_ALLOCATION/config', '.git:stream', 'git~1/config',
  'GIT~1/config', 'GIT~12', '.g\u200cit/config', '.git\u200d/config', '\ufeff.git/config', '.\u202egit/config',
  '.git\\config', '.GIT\\..\\config', '．git/config', '.ｇｉｔ/config', '.qralph/state.json', '.QRALPH/x', '.qralph./x',
  'qralph~1/x',
]; // prettier-ignore

/** Nothing of it is a regular file of the worktree's own. */
const noFiles: readonly string[] = ['pipe', 'socket', 'src', ''];

const shown = (path: string): string => JSON.stringify(path.length > 60 ? `${path.slice(0, 60)}…` : path);

function stateOutside(): string {
  const { ino, mtimeMs, nlink } = statSync(join(base, 'outside/secret.txt'));
  const links = ['link-to-file', 'dangling', 'innocent', 'zero'].map((name) =>
    lstatSync(join(root, name)).isSymbolicLink(),
  );
  const config = ['.git/config', 'sub/.git/config', '.qralph/state.json'].map((name) =>
    readFileSync(join(root, name), 'utf8'),
  );
  const entries = ['outside', 'worktree/.git', 'worktree/.qralph'].map((name) => readdirSync(join(base, name)));
  return JSON.stringify([
    readFileSync(join(base, 'outside/secret.txt'), 'utf8'),
    ino,
    mtimeMs,
    nlink,
    links,
    config,
    entries,
  ]);
}

describe('escape attempts', () => {
  describe.each([...paths, ...noFiles].map((path) => [shown(path), path]))('%s', (_, path) => {
    it.each([
      ['read_file', { path }],
      ['write_file', { path, content: 'taken over' }],
      ['edit_file', { path, old: SECRET, new: 'taken over' }],
    ])('%s is refused', async (tool, input) => {
      const before = stateOutside();
      const said = await called(root, tool, input);
      expect(said).toMatchObject({ isError: true, hasChanged: false });
      expect(said.text).not.toContain(SECRET);
      expect(stateOutside()).toBe(before);
    });
  });

  it.each(paths.map((path) => [shown(path), path]))('list and search of %s show nothing', async (_, path) => {
    for (const [tool, input] of [
      ['list_files', { path, depth: 5 }],
      ['search', { pattern: '.', path }],
    ] as const) {
      const said = await called(root, tool, input);
      expect(said.isError).toBe(true);
      expect(said.text).not.toContain(SECRET);
    }
  });

  it('listing and searching everything shows neither git nor what is outside', async () => {
    const listed = await called(root, 'list_files', { depth: 10 });
    expect(listed.text).toContain('src/plain.txt');
    expect(listed.text).not.toMatch(/\.git|secret\.txt|\.qralph|config/);
    expect((await called(root, 'search', { pattern: 'secret' })).text).toBe('no line matches');
  });

  it('a hard link is not read, and writing breaks it instead of writing through it', async () => {
    expect(await called(root, 'read_file', { path: 'hard-link.txt' })).toMatchObject({ isError: true });
    expect(await called(root, 'edit_file', { path: 'hard-link.txt', old: SECRET, new: 'x' })).toMatchObject({
      isError: true,
    });
    expect(await called(root, 'write_file', { path: 'hard-link.txt', content: 'mine' })).toMatchObject({
      isError: false,
    });
    expect(readFileSync(join(base, 'outside/secret.txt'), 'utf8')).toBe(SECRET);
    expect(readFileSync(join(root, 'hard-link.txt'), 'utf8')).toBe('mine');
  });

  it('hard links of dependencies are read, and not written through either', async () => {
    writeFileSync(join(base, 'outside/store.js'), 'of the store');
    linkSync(join(base, 'outside/store.js'), join(root, 'node_modules/dep/index.js'));
    const path = 'node_modules/dep/index.js';
    expect((await called(root, 'read_file', { path })).text).toContain('of the store');
    await called(root, 'edit_file', { path, old: 'store', new: 'agent' });
    expect(readFileSync(join(base, 'outside/store.js'), 'utf8')).toBe('of the store');
    rmSync(join(root, 'node_modules/dep/index.js'));
    rmSync(join(base, 'outside/store.js'));
  });

  it('a folder that is swapped for a symlink while it is open leads nowhere else', async () => {
    mkdirSync(join(root, 'swapped'));
    await inFolder(root, ['swapped'], async (folder) => {
      renameSync(join(root, 'swapped'), join(root, 'moved'));
      symlinkSync(join(base, 'outside'), join(root, 'swapped'));
      writeFileSync(folder.at('made.txt'), 'made');
      expect(existsSync(folder.at('secret.txt'))).toBe(false);
    });
    expect(existsSync(join(root, 'moved/made.txt'))).toBe(true);
    expect(existsSync(join(base, 'outside/made.txt'))).toBe(false);
    rmSync(join(root, 'swapped'));
    rmSync(join(root, 'moved'), { recursive: true });
  });

  it('a folder that becomes a symlink again and again is never written through', async () => {
    const loop = `mkdir race; while :; do mv -T race hold; ln -sT '${join(base, 'outside')}' race; rm race; mv -T hold race; done`;
    const swapper = spawn('sh', ['-c', loop], { cwd: root, stdio: 'ignore', detached: true });
    const ended = once(swapper, 'exit');
    const before = readdirSync(join(base, 'outside'));
    for (let nth = 0; nth < 150; nth += 1) {
      await called(root, 'write_file', { path: 'race/secret.txt', content: 'taken over' });
      await called(root, 'read_file', { path: 'race/secret.txt' }).then(({ text }) =>
        expect(text).not.toContain(SECRET),
      );
    }
    // With the mv or rm that it waits for.
    process.kill(-(swapper.pid ?? 0), 'SIGKILL');
    await ended;
    expect(readdirSync(join(base, 'outside'))).toEqual(before);
    expect(readFileSync(join(base, 'outside/secret.txt'), 'utf8')).toBe(SECRET);
    for (const name of ['race', 'hold']) rmSync(join(root, name), { recursive: true, force: true, maxRetries: 10 });
  }, 30_000);

  it('any path is either refused or a list of plain names', () => {
    const piece = fc.constantFrom('..', '.', '', 'a', '.git', '.GIT ', 'b.ts', '\0', '~', ' ', '.git.', 'ünï', '...');
    const path = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('/')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(path, (given) => {
        let names: readonly string[];
        try {
          names = namesOf(given);
        } catch {
          return;
        }
        for (const name of names) {
          expect(name).not.toMatch(/[/\0]/);
          expect(['', '.', '..', '.git', '.qralph']).not.toContain(name.toLowerCase());
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
