import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WorldError } from '#kernel';
import { Git } from './git.js';
import { runGroup } from './run-group.js';
import { checkpoint, effectRun, newWorld, type World, writeFiles } from './worktree.fixture.js';

vi.mock('node:child_process', { spy: true });
vi.mock('./run-group.js', { spy: true });

const NODE = process.execPath;
const REFUSED = { code: 'GIT_HOST_NOT_STARTED', constructor: WorldError };
let world: World;
beforeEach(() => {
  world = newWorld(process.env['PATH']);
});
afterEach(async () => {
  process.execPath = NODE;
  await endHost();
  await world.remove();
});

/** The one that this test started last. */
async function endHost(): Promise<void> {
  const host = vi.mocked(fork).mock.results.at(-1)?.value as ChildProcess | undefined;
  if (host?.connected !== true) return;
  const gone = Promise.all([once(host, 'exit'), once(host, 'disconnect')]);
  host.kill('SIGKILL');
  await gone;
}

/** As Node fails where the machine is out of something. */
const failure = (code: string): Error => Object.assign(new Error(`spawn ${code}`), { code, syscall: 'spawn' });
const version = (): Promise<string> =>
  new Git({ path: world.path, home: '/' }).text(['--version'], { cwd: world.repo, env: {} });

describe('where the process that runs gits cannot be started', () => {
  it('the world is at fault, not whoever installs git, and all goes on once it can be', async () => {
    process.execPath = '/no/such/node';
    for (const refused of await Promise.allSettled([version(), version()])) {
      expect(refused).toMatchObject({ status: 'rejected', reason: REFUSED });
    }
    process.execPath = NODE;
    vi.mocked(fork).mockImplementationOnce(() => {
      throw failure('ENOMEM');
    });
    await expect(version()).rejects.toMatchObject(REFUSED);
    expect(await version()).toContain('git version');
  });

  it('no worktree has to be opened again, since nothing ran', async () => {
    const worktree = await world.open();
    await endHost();
    writeFiles(worktree.folder, { 'a.txt': 'work\n' });
    const commit = (): Promise<string> =>
      world.worktrees.commit(worktree, 'Work', checkpoint, effectRun(worktree.projectId));
    process.execPath = '/no/such/node';
    await expect(commit()).rejects.toMatchObject(REFUSED);
    process.execPath = NODE;
    const made = await commit();
    expect(world.git('rev-parse', worktree.branch, `${made}^`).split('\n')).toEqual([made, worktree.baseCommit]);
  });
});

it('a machine that has no room for a git is not one without git', async () => {
  vi.mocked(runGroup).mockRejectedValueOnce(failure('EAGAIN'));
  await expect(version()).rejects.toMatchObject({ code: 'GIT_NOT_STARTED', constructor: WorldError });
  vi.mocked(runGroup).mockRejectedValueOnce(failure('ENOENT'));
  await expect(version()).rejects.toMatchObject({ code: 'GIT_NOT_FOUND' });
});
