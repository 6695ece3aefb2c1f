import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '#testing';
import { npmProject } from './npm-project.fixture.js';
import { runSetup, type SetupResult, type SetupWish } from './run-setup.js';
import { type Files, openWorktree, PretendedSandbox, read, silent, write } from './setup.fixture.js';

/** The programs of this run's machine, npm among them. */
const PATH = process.env['PATH'] ?? '/usr/bin:/bin';

describe('set-up of a worktree', () => {
  let at: ReturnType<typeof openWorktree>;
  let sandbox: PretendedSandbox;
  afterEach(() => at.folder.remove());

  const open = (files: Files, hidesFiles = true): void => {
    at = openWorktree(files, PATH);
    sandbox = new PretendedSandbox(at.commands, hidesFiles);
  };
  const setUp = (more: Partial<SetupWish> = {}): Promise<SetupResult> =>
    runSetup({
      sandbox,
      lease: at.lease,
      signal: at.abort.signal,
      redactor: silent,
      worktree: { repo: at.repo, folder: at.worktree },
      isTracked: at.isTracked,
      home: at.home,
      given: null,
      copy: [],
      mayUseNetwork: false,
      networkVariables: {},
      hidden: [],
      timeoutMs: 60_000,
      commands: at.commands,
      ...more,
    });
  const commandsOf = ({ commands }: SetupResult): string[] => commands.map(({ command }) => command);
  const npmCiByUser = (): void =>
    void execFileSync('npm', ['ci', '--offline'], { cwd: at.repo, env: { PATH, HOME: at.home } });

  it('has nothing to do where there is no lock file', async () => {
    open({ 'README.md': '' });
    expect(await setUp()).toMatchObject({ status: 'done', commands: [], broughtIn: [] });
    expect(sandbox.asked).toEqual([]);
  });

  it('installs by npm ci, without network, with a HOME of its own', async () => {
    open(await npmProject());
    const result = await setUp();
    expect(result).toMatchObject({ status: 'done', copied: [], broughtIn: [] });
    expect(commandsOf(result)).toEqual(['npm ci']);
    expect(result.notBroughtIn).toEqual([
      { folder: 'node_modules', reason: expect.stringContaining('no folder') as string },
    ]);
    expect(existsSync(join(at.worktree, 'node_modules/tiny/index.js'))).toBe(true);
    expect(existsSync(join(at.home, '.npm'))).toBe(true);
    const [asked] = sandbox.asked;
    expect(asked).toMatchObject({ network: 'none', cwd: at.worktree, writable: [at.worktree, at.home], readOnly: [] });
  });

  it("brings in what npm ci left in the user's checkout, and then runs nothing", async () => {
    open(await npmProject());
    npmCiByUser();
    const result = await setUp({ given: ['npm  install'] });
    expect(result).toMatchObject({ status: 'done', commands: [], broughtIn: [{ folders: ['node_modules'] }] });
    if (result.status !== 'done' || result.broughtIn[0]?.method === 'reflink') return;
    expect(result.place.readOnly).toEqual([join(at.worktree, 'node_modules')]);
    expect(result.place.writable).toContain(join(at.worktree, 'node_modules/.cache'));
  });

  it('runs the scripts that the installation would have run, on files of its own', async () => {
    open(await npmProject({ postinstall: 'node -p 1 > node_modules/tiny/made.log', prepare: 'touch prepared.log' }));
    npmCiByUser();
    const before = read(at.repo, 'node_modules/tiny/index.js');
    const result = await setUp();
    expect(commandsOf(result)).toEqual(['npm run postinstall', 'npm run prepare']);
    expect(result).toMatchObject({ status: 'done', place: { readOnly: [], writable: [] } });
    expect(existsSync(join(at.worktree, 'prepared.log'))).toBe(true);
    expect(result.broughtIn[0]?.method).not.toBe('hard-link');
    write(at.worktree, { 'node_modules/tiny/index.js': 'other' });
    expect(read(at.repo, 'node_modules/tiny/index.js')).toBe(before);
  });

  it('has no hard links where the sandbox cannot keep commands from writing', async () => {
    open(await npmProject(), false);
    npmCiByUser();
    const result = await setUp();
    expect(result).toMatchObject({ status: 'done', place: { readOnly: [] } });
    expect(result.broughtIn[0]?.method).not.toBe('hard-link');
  });

  it('runs the given commands as they are and in order, and stops at the first that fails', async () => {
    open(await npmProject());
    const given = ['echo one; echo two >&2', 'echo wrong >&2; exit 7', 'echo never'];
    const result = await setUp({ given });
    expect(commandsOf(result)).toEqual(given.slice(0, 2));
    expect(result.commands[0]?.output).toBe('one\ntwo\n');
    expect(result).toMatchObject({
      status: 'failed',
      command: given[1],
      exitCode: 7,
      endedBy: 'itself',
      output: 'wrong\n',
    });
    expect(result).toMatchObject({ reason: expect.stringContaining('without network') as string });
  });

  it('ends a command past its time-out', async () => {
    open({});
    const result = await setUp({ given: ['echo begun; sleep 60'], timeoutMs: 300 });
    expect(result).toMatchObject({ status: 'failed', endedBy: 'time-out', output: 'begun\n' });
    expect(result).toMatchObject({ reason: expect.stringContaining('(ended after its time-out)') as string });
    expect(at.registry.running).toBe(0);
  });

  it('says that a command filled the disk', async () => {
    open({});
    const limits = { disk: { folders: [at.worktree], bytes: 32 * 1024 ** 2 } };
    const result = await setUp({ given: ['fallocate -l 20M one; fallocate -l 20M two'], limits });
    expect(result).toMatchObject({ status: 'failed', endedBy: 'disk' });
    expect(result).toMatchObject({ reason: expect.stringContaining('filled too much of the disk') as string });
  });

  it('leaves dependencies alone that the repository itself holds', async () => {
    open({ ...(await npmProject()), '.gitignore': '', 'node_modules/tiny/index.js': 'tracked' });
    expect(await setUp()).toMatchObject({ status: 'done', commands: [] });
    expect(read(at.worktree, 'node_modules/tiny/index.js')).toBe('tracked');
  });

  it('leaves a lock file alone that lies in a member of the workspace', async () => {
    const own = { 'packages/one/package.json': '{}', 'packages/one/package-lock.json': '{}' };
    open({ 'package.json': '{"workspaces":["packages/*"]}', ...own });
    expect(commandsOf(await setUp())).toEqual([]);
    expect(sandbox.asked).toEqual([]);
  });

  it('can be repeated after a crash in the middle', async () => {
    open(await npmProject());
    write(at.repo, { '.env.test': 'A=1' });
    write(at.worktree, { 'node_modules/half.js': '', '.env.test.qralph-part': 'A' });
    for (let round = 0; round < 2; round += 1) {
      expect(await setUp({ copy: ['.env.test'] })).toMatchObject({ status: 'done', copied: ['.env.test'] });
      expect(existsSync(join(at.worktree, 'node_modules/half.js'))).toBe(false);
      expect(read(at.worktree, '.env.test')).toBe('A=1');
    }
  });

  it('is blocked by a file to copy that is not there, before anything runs', async () => {
    open(await npmProject());
    const result = await setUp({ copy: ['.env.test'] });
    expect(result).toMatchObject({
      status: 'failed',
      command: null,
      output: expect.stringContaining('.env.test') as string,
    });
    expect(sandbox.asked).toEqual([]);
  });

  it("passes the machine's settings for registries on, and no passwords", async () => {
    open(await npmProject());
    const certificates = join(at.folder.path, 'ca.pem');
    write(at.folder.path, { 'ca.pem': '' });
    const networkVariables = {
      HTTPS_PROXY: 'http://user:secret@proxy.test:8080',
      NO_PROXY: 'localhost',
      NODE_EXTRA_CA_CERTS: certificates,
    };
    await setUp({ mayUseNetwork: true, networkVariables, given: ['true'] });
    const [asked] = sandbox.asked;
    expect(asked).toMatchObject({ network: 'host', env: { NO_PROXY: 'localhost', NODE_EXTRA_CA_CERTS: certificates } });
    expect(asked?.readable).toContain(certificates);
    expect(JSON.stringify(asked?.env)).not.toContain('secret');
    expect(read(at.home, '.npmrc')).toMatch(/^registry=http/m);
    expect(read(at.home, '.npmrc')).not.toMatch(/auth/i);
    const failed = await setUp({ mayUseNetwork: true, networkVariables, given: ['false'] });
    expect(failed).toMatchObject({ status: 'failed', reason: expect.stringContaining('HTTPS_PROXY') as string });
  });

  it('leaves out settings that name what no command may see, and says so', async () => {
    open({});
    const data = join(at.folder.path, 'data');
    write(data, { 'ca.pem': '' });
    const networkVariables = {
      PIP_FIND_LINKS: `https://wheels.test ${at.folder.path}`,
      PIP_CERT: join(data, 'ca.pem'),
      SSL_CERT_DIR: '/home',
      NO_PROXY: 'localhost',
    };
    const result = await setUp({ mayUseNetwork: true, networkVariables, hidden: [data], given: ['echo one', 'false'] });
    expect(sandbox.asked[0]?.env).toMatchObject({ NO_PROXY: 'localhost' });
    for (const name of ['PIP_FIND_LINKS', 'PIP_CERT', 'SSL_CERT_DIR']) {
      expect(sandbox.asked[0]?.env).not.toHaveProperty(name);
      expect(result.commands[0]?.output).toContain(`[${name} is left out: `);
      expect(result).toMatchObject({ reason: expect.stringContaining(name) as string });
    }
    expect(result.commands[0]?.output).toMatch(/\none\n$/);
  });

  it('does not write its settings through a link that a command left in HOME', async () => {
    open({});
    await setUp({ given: ['ln -s "$PWD/stolen" "$HOME/.npmrc"'] });
    expect(readlinkSync(join(at.home, '.npmrc'))).toBe(join(at.worktree, 'stolen'));
    await setUp({ mayUseNetwork: true, given: ['true'] });
    expect(existsSync(join(at.worktree, 'stolen'))).toBe(false);
  });

  it('ends with the reason of an interruption', async () => {
    open({});
    const running = setUp({ given: ['touch begun.log; sleep 60'] });
    running.catch(() => undefined);
    await eventually('the command works', () => existsSync(join(at.worktree, 'begun.log')));
    at.abort.abort(new Error('paused'));
    await expect(running).rejects.toThrow('paused');
  });

  it('takes no link for a file to copy', async () => {
    open({});
    symlinkSync('/etc/hostname', join(at.repo, '.env.link'));
    expect(await setUp({ copy: ['.env.link'] })).toMatchObject({ status: 'failed', command: null });
  });

  it('copies no file over one that the repository itself holds', async () => {
    open({ settings: 'of the repository' });
    expect(await setUp({ copy: ['./settings'] })).toMatchObject({
      status: 'failed',
      command: null,
      output: expect.stringContaining('settings is in the repository') as string,
    });
  });

  it('leaves no command with hard links of an earlier run, whatever is set up now', async () => {
    open({});
    write(at.repo, { 'node_modules/one/index.js': 'mine' });
    for (const folder of ['node_modules', '.qralph-part-node_modules']) {
      mkdirSync(join(at.worktree, folder));
      linkSync(join(at.repo, 'node_modules/one/index.js'), join(at.worktree, folder, 'index.js'));
    }
    const change =
      'for file in node_modules/index.js .qralph-part-node_modules/index.js; do echo x >> $file; done; true';
    expect(await setUp({ given: [change] })).toMatchObject({ status: 'done' });
    expect(read(at.worktree, 'node_modules/index.js')).toBe('minex\n');
    expect(read(at.repo, 'node_modules/one/index.js')).toBe('mine');
  });
});
