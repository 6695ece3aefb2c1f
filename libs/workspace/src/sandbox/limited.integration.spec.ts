import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandRunner } from '#process-monitor';
import { tempFolder, type TempFolder } from '#testing';
import { openSandboxes, type SandboxedCommand } from './index.js';
import { hasNamespaces, MACHINE_PATH, sandboxWorld, type SandboxWorld } from './sandbox.fixture.js';

let folder: TempFolder;
let world: SandboxWorld;
beforeEach(async () => {
  folder = tempFolder('limited');
  world = await sandboxWorld(folder.path);
});
afterEach(() => folder.remove());

const run = (script: string, more: Partial<SandboxedCommand> = {}) =>
  world.sandboxes.pick('limited').run(world.shell(script, more));
const ask = (target: string): string =>
  `node -e 'require("net").connect(${target}).on("data", (d) => process.stdout.write(d)).on("error", (e) => { console.error(e.code); process.exit(1) })'`;

describe.runIf(hasNamespaces())('a command in the limited sandbox', () => {
  it('works in its worktree, and finds of the data folder what it was given, as it was given', async () => {
    const readable = join(world.dataDir, 'readable');
    const readOnly = join(world.worktree, 'fixed');
    for (const one of [readable, readOnly]) mkdirSync(one);
    const single = join(world.dataDir, 'single');
    writeFileSync(single, 'alone ');
    writeFileSync(join(readable, 'text'), 'to be read');
    const script = `pwd; cat ${single} ${readable}/text; echo made > made; touch ${readable}/x fixed/x; mv fixed gone; echo "$?"`;
    const result = await run(script, { readable: [readable, single], readOnly: [readOnly] });
    expect(result).toMatchObject({ exitCode: 0, stdout: `${world.worktree}\nalone to be read1\n` });
    expect(readFileSync(join(world.worktree, 'made'), 'utf8')).toBe('made\n');
    expect([join(readable, 'x'), join(readOnly, 'x')].map((path) => existsSync(path))).toEqual([false, false]);
  });

  it('may serve and ask on a loopback of its own', async () => {
    const script = `require("net").createServer((s) => s.end("heard")).listen(0, "127.0.0.1", function () {
      require("net").connect(this.address().port, "localhost").on("data", (d) => { console.log(String(d)); process.exit() }) })`;
    const command = world.shell('', { file: 'node', args: ['-e', script] });
    expect(await world.sandboxes.pick('limited').run(command)).toMatchObject({ exitCode: 0, stdout: 'heard\n' });
  });

  it('reaches a socket that it was given, and the network where it was allowed', async () => {
    const outside = join(folder.path, 'socket');
    const [local, open] = [outside, 0].map((at) => createServer((socket) => socket.end('proxy')).listen(at)) as [
      ReturnType<typeof createServer>,
      ReturnType<typeof createServer>,
    ];
    try {
      await Promise.all([local, open].filter((one) => !one.listening).map((one) => once(one, 'listening')));
      const sockets = [{ outside, inside: '/run/qralph/model.sock' }];
      expect(await run(ask('"/run/qralph/model.sock"'), { sockets })).toMatchObject({ exitCode: 0, stdout: 'proxy' });
      const { port } = open.address() as { port: number };
      const there = ask(`${String(port)}, "127.0.0.1"`);
      expect(await run(there, { network: 'host' })).toMatchObject({ exitCode: 0, stdout: 'proxy' });
      expect(await run(there)).toMatchObject({ exitCode: 1 });
    } finally {
      local.close();
      open.close();
    }
    expect(existsSync('/run/qralph')).toBe(false);
  });

  it('reads the history of a repository that is hidden otherwise, without its configuration', async () => {
    const repo = join(folder.path, 'user', 'repo');
    const worktree = join(world.dataDir, 'worktrees', 'of-repo');
    const git = (...args: string[]): unknown =>
      execFileSync('git', ['-C', repo, '-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args]);
    mkdirSync(repo, { recursive: true });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'the first');
    git('worktree', 'add', '-q', '--detach', worktree);
    git('config', 'http.extraHeader', 'the-key');
    const sandboxes = await openSandboxes({
      commands: new CommandRunner(world.registry, { host: 'here', path: MACHINE_PATH }),
      allowUnsandboxed: true,
      path: MACHINE_PATH,
      hidden: [world.dataDir, join(folder.path, 'user')],
      folder: join(world.dataDir, 'sandbox'),
    });
    const script = `git log --format=%s; git status --short; git config --list | grep the-key; ls -A ${repo}`;
    const command = world.shell(script, { cwd: worktree, writable: [worktree] });
    expect(await sandboxes.pick('limited').run(command)).toMatchObject({ stdout: 'the first\n.git\n', stderr: '' });
  });
});
