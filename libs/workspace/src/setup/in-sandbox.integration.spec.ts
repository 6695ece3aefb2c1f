import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSandboxes } from '../sandbox/index.js';
import type { Sandbox } from '../sandbox/sandbox.port.js';
import { runVerify } from '../verify/run-verify.js';
import { npmProject } from './npm-project.fixture.js';
import { runSetup, type SetupResult } from './run-setup.js';
import { openWorktree, read, silent } from './setup.fixture.js';
import { runInWorktree } from './worktree-shell.js';

const PATH = process.env['PATH'] ?? '/usr/bin:/bin';

/** auto: bubblewrap where the machine has it, which keeps files from being written; else limited again. */
describe.each(['auto', 'limited'] as const)('set-up and verify in the sandbox: %s', (wish) => {
  let at: ReturnType<typeof openWorktree>;
  let sandbox: Sandbox;
  beforeEach(async () => {
    at = openWorktree(await npmProject({ test: 'node --test' }), PATH);
    const folder = join(at.folder.path, 'sandbox');
    const options = { commands: at.commands, allowUnsandboxed: true, path: PATH, hidden: [folder], folder };
    sandbox = (await openSandboxes(options)).pick(wish);
  });
  afterEach(() => at.folder.remove());

  const right = (): { sandbox: Sandbox; lease: typeof at.lease; signal: AbortSignal; redactor: typeof silent } => ({
    sandbox,
    lease: at.lease,
    signal: at.abort.signal,
    redactor: silent,
  });
  const setUp = (): Promise<SetupResult> =>
    runSetup({
      ...right(),
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
    });

  it('installs with npm ci, and the tests pass', async () => {
    const setup = await setUp();
    expect(setup.commands).toMatchObject([{ command: 'npm ci', exitCode: 0 }]);
    if (setup.status !== 'done') throw new Error(setup.output);
    const result = await runVerify({ ...right(), place: setup.place, commands: ['npm test'], timeoutMs: 60_000 });
    expect(result, result.commands[0]?.output).toMatchObject({ verdict: 'passed', counts: { passed: 2 } });
  });

  it("brings dependencies in, the tests pass, and no command changes a file of the user's checkout", async () => {
    execFileSync('npm', ['ci', '--offline'], { cwd: at.repo, env: { PATH, HOME: at.folder.path } });
    const before = read(at.repo, 'node_modules/tiny/index.js');
    const modeOf = (): number => statSync(join(at.repo, 'node_modules/tiny/index.js')).mode;
    const mode = modeOf();
    const setup = await setUp();
    expect(setup).toMatchObject({ status: 'done', commands: [], broughtIn: [{ folders: ['node_modules'] }] });
    if (setup.status !== 'done') throw new Error(setup.output);
    const { place } = setup;
    const isShared = setup.broughtIn[0]?.method === 'hard-link';
    expect(place.readOnly).toEqual(isShared ? [join(at.worktree, 'node_modules')] : []);
    if (!sandbox.guarantees.hidesFiles) expect(isShared).toBe(false);
    const passed = await runVerify({ ...right(), place, commands: ['npm test'], timeoutMs: 60_000 });
    expect(passed, passed.commands[0]?.output).toMatchObject({ verdict: 'passed', counts: { passed: 2 } });
    for (const attempt of ATTEMPTS) {
      await runInWorktree(place, right(), { command: attempt, purpose: 'write', timeoutMs: 30_000, network: 'none' });
      expect(read(at.repo, 'node_modules/tiny/index.js'), attempt).toBe(before);
      expect(modeOf(), attempt).toBe(mode);
    }
    expect(readdirSync(join(at.repo, 'node_modules/tiny')).sort()).toEqual(['index.js', 'package.json']);
  });

  it('lets tools write to their caches below read-only dependencies', async () => {
    execFileSync('npm', ['ci', '--offline'], { cwd: at.repo, env: { PATH, HOME: at.folder.path } });
    const setup = await setUp();
    if (setup.status !== 'done') throw new Error(setup.output);
    const command = 'mkdir -p node_modules/.cache/tool && echo 1 > node_modules/.cache/tool/file';
    const shell = { command, purpose: 'cache', timeoutMs: 30_000, network: 'none' } as const;
    expect((await runInWorktree(setup.place, right(), shell)).report).toMatchObject({ exitCode: 0, output: '' });
  });
});

const FILE = 'node_modules/tiny/index.js';
const ATTEMPTS = [
  `echo changed >> ${FILE}`,
  `chmod 777 ${FILE}`,
  `touch node_modules/tiny/new.js`,
  `mv node_modules elsewhere; echo changed >> elsewhere/tiny/index.js`,
  `ln ${FILE} linked.js; echo changed >> linked.js`,
  `mount -o remount,rw node_modules; echo changed >> ${FILE}`,
  `node -e "fs.writeFileSync('${FILE}', 'changed')"`,
];
