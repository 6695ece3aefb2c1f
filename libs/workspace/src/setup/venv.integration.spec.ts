import { mkdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { install, LOCK, MANIFEST } from './installed-npm.fixture.js';
import { runSetup, type SetupResult } from './run-setup.js';
import { inodeOf, openWorktree, PretendedSandbox, read, silent, write } from './setup.fixture.js';

const SITE = '.venv/lib/python3.11/site-packages';

/** An environment as its tools make it, without a Python: its interpreter is a program that succeeds or fails. */
describe("a virtual environment of the user's checkout", () => {
  let at: ReturnType<typeof openWorktree>;
  let sandbox: PretendedSandbox;
  beforeEach(async () => {
    at = openWorktree({ 'requirements.txt': 'foo==1.0\n' });
    mkdirSync(join(at.repo, '.venv/bin'), { recursive: true });
    write(at.repo, {
      '.venv/pyvenv.cfg': `home = /usr/bin\ncommand = /usr/bin/python3 -m venv ${at.repo}/.venv\n`,
      '.venv/bin/foo': `#!${at.repo}/.venv/bin/python\nprint("${at.repo}-of-another")\n`,
      [`${SITE}/foo-1.0.dist-info/METADATA`]: 'Name: foo\nVersion: 1.0\n',
      [`${SITE}/foo.py`]: 'x = 1\n',
      [`${SITE}/sample.pth`]: `${at.repo}/src\n`,
    });
    await chmod(join(at.repo, '.venv/bin/foo'), 0o755);
  });
  afterEach(() => at.folder.remove());

  const setUp = (interpreter: string, timeoutMs = 60_000, given = INSTALL): Promise<SetupResult> => {
    sandbox = new PretendedSandbox(at.commands, true);
    symlinkSync(interpreter, join(at.repo, '.venv/bin/python'));
    return runSetup({
      sandbox,
      lease: at.lease,
      signal: at.abort.signal,
      redactor: silent,
      worktree: { repo: at.repo, folder: at.worktree },
      isTracked: at.isTracked,
      home: at.home,
      given,
      copy: [],
      mayUseNetwork: false,
      networkVariables: {},
      hidden: [],
      timeoutMs,
      commands: at.commands,
    });
  };

  it("is brought in, turned to its new place, and the user's own stays as it was", async () => {
    const before = read(at.repo, '.venv/bin/foo');
    const result = await setUp('/bin/true');
    expect(result).toMatchObject({ status: 'done', commands: [], broughtIn: [{ folders: ['.venv'] }] });
    expect(result.broughtIn[0]?.outsideLinks).toEqual(['.venv/bin/python -> /bin/true']);
    expect(readlinkSync(join(at.worktree, '.venv/bin/python'))).toBe('/bin/true');
    expect(read(at.worktree, '.venv/bin/foo')).toBe(
      `#!${at.worktree}/.venv/bin/python\nprint("${at.repo}-of-another")\n`,
    );
    expect(statSync(join(at.worktree, '.venv/bin/foo')).mode & 0o777).toBe(0o755);
    expect(read(at.worktree, SITE, 'sample.pth')).toBe(`${at.worktree}/src\n`);
    expect(read(at.worktree, '.venv/pyvenv.cfg')).toContain(`${at.worktree}/.venv`);
    expect(read(at.repo, '.venv/bin/foo')).toBe(before);
    expect(inodeOf(at.worktree, '.venv/bin/foo')).not.toBe(inodeOf(at.repo, '.venv/bin/foo'));
  });

  it('is tried with all that was brought in before it out of reach', async () => {
    const npm = { 'package.json': JSON.stringify(MANIFEST), 'package-lock.json': LOCK };
    for (const folder of [at.repo, at.worktree]) write(folder, npm);
    install(at.repo);
    const result = await setUp('/bin/true', 60_000, ['npm ci', ...INSTALL]);
    const brought = result.broughtIn.flatMap(({ readOnly }) => readOnly);
    expect(result.broughtIn.map(({ folders }) => folders[0])).toEqual(['node_modules', '.venv']);
    const [tried] = sandbox.asked;
    expect(tried?.purpose).toContain('try');
    expect(tried?.readOnly).toEqual(brought);
    if (result.broughtIn[0]?.method === 'hard-link') expect(brought).toContain(join(at.worktree, 'node_modules'));
  });

  it('stays where it is when its interpreter does not start in the sandbox', async () => {
    // Whether this machine has a Python that could install is not asked.
    const result = await setUp('/nowhere/python3', 200);
    expect(result.broughtIn).toEqual([]);
    expect(result.notBroughtIn).toEqual([
      { folder: '.venv', reason: expect.stringContaining('interpreter') as string },
    ]);
    expect(result.commands.map(({ command }) => command)).toEqual(INSTALL);
  });
});

const INSTALL = ['python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt'];
