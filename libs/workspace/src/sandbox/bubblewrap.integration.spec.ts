import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandResult } from '#process-monitor';
import { hasBwrap, tempFolder, type TempFolder } from '#testing';
import { sandboxWorld, type SandboxWorld } from './sandbox.fixture.js';
import type { SandboxedCommand } from './sandbox.port.js';

let folder: TempFolder;
let world: SandboxWorld;
const run = (script: string, more: Partial<SandboxedCommand> = {}): Promise<CommandResult> =>
  world.sandboxes.pick('auto').run(world.shell(script, more));
const inWorktree = (name: string): string => join(world.worktree, name);

beforeAll(async () => {
  folder = tempFolder('bubblewrap');
  world = await sandboxWorld(folder.path);
});
afterAll(() => folder.remove());

describe.runIf(hasBwrap())('a command in bubblewrap', () => {
  it('works in the worktree with the toolchains of the machine', async () => {
    const script = 'echo made > made && node -p "[1, os.cpus().length > 0]" && git --version && cat made';
    const result = await run(script);
    expect(result).toMatchObject({ exitCode: 0, stderr: '', endedBy: 'itself' });
    expect(result.stdout).toMatch(/made\n$/);
    expect(readFileSync(inWorktree('made'), 'utf8')).toBe('made\n');
  });

  it('has a /tmp and a HOME of its own, and nothing of it is there the next time', async () => {
    expect(await run('echo x > ~/mine; echo x > /tmp/mine; echo x > /var/tmp/mine; ls ~')).toMatchObject({
      stdout: 'mine\n',
    });
    expect((await run('ls ~ /var/tmp; ls /tmp/mine')).exitCode).toBeGreaterThan(0);
  });

  it('is nobody in particular, in an environment of its own', async () => {
    const result = await run('id -un; hostname; env | cut -d= -f1 | sort | tr "\\n" " "', { env: { ONLY: 'this' } });
    expect(result.stdout).toBe(
      'sandbox\nsandbox\nGIT_OPTIONAL_LOCKS HOME LANG LOGNAME ONLY PATH PWD QRALPH_RUN TMPDIR USER ',
    );
  });

  it('gives its own exit code and its output, reads its input', async () => {
    const stdinFile = join(folder.path, 'input');
    writeFileSync(stdinFile, 'read');
    const result = await run('cat; echo oh >&2; exit 42', { stdinFile });
    expect(result).toEqual({ exitCode: 42, stdout: 'read', stderr: 'oh\n', endedBy: 'itself' });
    expect(await run('', { file: 'no-such-program', args: [] })).toMatchObject({ exitCode: 127 });
  });

  it('may serve and ask on a loopback of its own', async () => {
    const script = `node -e '
      const s = require("net").createServer((c) => c.end("served")).listen(0, "127.0.0.1", () =>
        require("net").connect(s.address().port, "127.0.0.1").on("data", (d) => (process.stdout.write(d), s.close())))'`;
    expect(await run(script)).toMatchObject({ exitCode: 0, stdout: 'served' });
  });

  it('reaches a socket that it was given, and the network where it was allowed', async () => {
    const outside = join(folder.path, 'model.sock');
    const server = createServer((socket) => socket.end('proxy')).listen(outside);
    const open = createServer((socket) => socket.end('host')).listen(0, '127.0.0.1');
    await Promise.all([once(server, 'listening'), once(open, 'listening')]);
    const ask = (at: string): string =>
      `node -e 'require("net").connect(${at}).on("data", (d) => process.stdout.write(d))'`;
    const sockets = [{ outside, inside: '/run/qralph/model.sock' }];
    expect(await run(ask('"/run/qralph/model.sock"'), { sockets })).toMatchObject({ exitCode: 0, stdout: 'proxy' });
    const { port } = open.address() as { port: number };
    const asked = await run(ask(`${String(port)}, "127.0.0.1"`), { network: 'host' });
    expect(asked).toMatchObject({ exitCode: 0, stdout: 'host' });
    server.close();
    open.close();
  });

  it('reads what it was given to read, and writes only where the deepest name says so', async () => {
    const readable = join(folder.path, 'lent');
    mkdirSync(readable);
    writeFileSync(join(readable, 'file'), 'lent');
    for (const name of ['deps', 'deps/cache']) mkdirSync(inWorktree(name));
    const more = { readable: [readable], writable: [world.worktree, inWorktree('deps/cache')] };
    const readOnly = [inWorktree('deps'), inWorktree('not-there')];
    const result = await run(
      `cat ${readable}/file; echo x > deps/cache/y && ! echo x > deps/z && ! echo x > ${readable}/z && ! rmdir deps && ! mv deps d`,
      { ...more, readOnly },
    );
    expect(result).toMatchObject({ exitCode: 0, stdout: 'lent' });
    expect([existsSync(inWorktree('deps/cache/y')), existsSync(inWorktree('deps/z'))]).toEqual([true, false]);
  });

  it('is refused what holds more than its own, or hides behind a link', async () => {
    symlinkSync('/root', inWorktree('trap'));
    const refused: Partial<SandboxedCommand>[] = [
      { writable: ['/'] },
      { writable: [world.worktree, world.dataDir] },
      { writable: [folder.path, world.worktree] },
      { writable: [world.worktree], readable: ['/root'] },
      { writable: [world.worktree], readable: ['/home'] },
      { readOnly: [inWorktree('trap')] },
      { readable: [inWorktree('trap')] },
      { readable: [inWorktree('no-such-folder')] },
      { cwd: '/usr' },
    ];
    for (const more of refused) await expect(run('true', more)).rejects.toMatchObject({ code: 'SANDBOX_PATH_REFUSED' });
    rmSync(inWorktree('trap'));
  });
});

describe.runIf(hasBwrap())('the repository of a worktree', () => {
  const KEY = 'https://user:a-key-of-the-user@example.com/repo.git';
  let repo: string;
  let worktree: string;
  const git = (cwd: string, ...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' });
  const inGit = (script: string, more: Partial<SandboxedCommand> = {}): Promise<CommandResult> =>
    run(script, { cwd: worktree, writable: [worktree], ...more });

  beforeAll(() => {
    repo = join(folder.path, 'repo');
    worktree = join(world.dataDir, 'worktrees', 'git');
    mkdirSync(repo);
    git(repo, 'init', '-q', '-b', 'main');
    writeFileSync(join(repo, 'untracked-secret'), 'secret');
    writeFileSync(join(repo, 'file'), 'one\n');
    git(repo, 'add', 'file');
    git(repo, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
    git(repo, 'remote', 'add', 'origin', KEY);
    git(repo, 'worktree', 'add', '-q', '-b', 'work', worktree);
  });

  it('can be read with git', async () => {
    const result = await inGit('echo two > file; git log --format=%s; git diff --stat; git status --short; git remote');
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(result.stdout).toMatch(/^first\n file \| 2 \+-\n.*\n M file\n$/s);
  });

  it('shows no key, no hook and no file of the user’s checkout', async () => {
    const listed = await inGit(`ls -A ${repo} ${repo}/.git ${repo}/.git/hooks; cat ${repo}/file`);
    expect(listed.exitCode).toBeGreaterThan(0);
    expect(listed.stdout).not.toMatch(/sample|logs|untracked|one/);
    const { stdout } = await inGit(`cat ${repo}/.git/config; git config --list; grep -r key-of ${repo}`);
    expect(stdout).toContain('core.repositoryformatversion=0');
    expect(stdout).not.toMatch(/remote|a-key-of/);
  });

  it.each([
    'rm -f .git', 'mv .git x', 'echo "gitdir: /tmp" > .git', 'ln -sf /tmp .git', 'git commit -qam x', 'git add file',
    'git checkout -q -b other', 'git config core.hooksPath /tmp', 'git worktree add /tmp/x', 'git update-ref HEAD HEAD~0 || git tag x',
    'echo x > $(git rev-parse --git-dir)/HEAD', 'echo x > $(git rev-parse --git-common-dir)/config',
    'echo x > $(git rev-parse --git-common-dir)/objects/x', 'rm -rf $(git rev-parse --git-common-dir)/objects',
  ])('cannot be touched: %s', async (script) => {
    const before = readFileSync(join(worktree, '.git'), 'utf8');
    expect((await inGit(script)).exitCode).toBeGreaterThan(0);
    expect(readFileSync(join(worktree, '.git'), 'utf8')).toBe(before);
    expect(git(worktree, 'fsck', '--no-progress', '--no-dangling')).toBe('');
    expect(git(repo, 'branch', '--format=%(refname:short)')).toBe('main\nwork\n');
  }); // prettier-ignore

  it('is not shown where its pointer leads to what a command could have made', async () => {
    const forged = join(world.dataDir, 'worktrees', 'forged');
    mkdirSync(join(forged, 'fake', 'worktrees', 'x'), { recursive: true });
    symlinkSync('/etc', join(forged, 'fake', 'objects'));
    writeFileSync(join(forged, '.git'), `gitdir: ${join(forged, 'fake/worktrees/x')}\n`);
    writeFileSync(join(forged, 'fake/worktrees/x/commondir'), '../..\n');
    writeFileSync(join(forged, 'fake/worktrees/x/gitdir'), `${join(forged, '.git')}\n`);
    const result = await inGit('cat fake/objects/shadow; git log', { cwd: forged, writable: [forged] });
    expect(result).toMatchObject({ stdout: '' });
    expect(result.exitCode).toBeGreaterThan(0);
  });

  it('stays out of sight as a whole where the checkout itself is given', async () => {
    const own = join(world.dataDir, 'worktrees', 'own');
    mkdirSync(own);
    git(own, 'init', '-q');
    git(own, 'remote', 'add', 'origin', KEY);
    const result = await inGit('ls -A .git; cat .git/config; echo x > .git/y', { cwd: own, writable: [own] });
    expect(result.stdout).toBe('');
    expect(result.exitCode).toBeGreaterThan(0);
    expect(existsSync(join(own, '.git/y'))).toBe(false);
  });
});
