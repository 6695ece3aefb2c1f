import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { eventually } from '#testing';
import { PROCESS_MARK } from './names.js';
import { markOf } from './process-mark.js';
import { type GroupWish, runGroup } from './run-group.js';
import { newWorld, SIGNAL, type World } from './worktree.fixture.js';

const wish = (line: string, more: Partial<GroupWish> = {}): GroupWish => ({
  file: 'sh',
  args: ['-c', line],
  cwd: '/',
  env: { PATH: process.env['PATH'] ?? '' },
  timeoutMs: 60_000,
  outputBytes: 1_000_000,
  ...more,
});

/** The process that starts programs for this one. */
const hostOf = (): number | undefined =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        const command = readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8');
        return parent === process.pid && command.includes('group-host.process');
      } catch {
        return false;
      }
    });

describe('a program that is run as a group', () => {
  it('is given its input and environment byte by byte, and answers with bytes', async () => {
    const input = Buffer.from([0, 255, 10, 128]);
    const { stdout, exitCode } = await runGroup(wish('cat; exit 3', { input }));
    expect([Buffer.isBuffer(stdout), stdout.equals(input), exitCode]).toEqual([true, true, 3]);
    const { stdout: said } = await runGroup(wish('env', { env: { PATH: process.env['PATH'] ?? '', A: 'é\n' } }));
    expect(said.toString('utf8')).toContain('A=é\n');
    expect(said.toString('utf8')).not.toContain('NODE_');
  });

  it('is ended when nobody wants its answer any more, and others are not', async () => {
    const stop = new AbortController();
    const stopped = runGroup(wish('sleep 60', { signal: stop.signal }));
    const other = runGroup(wish('sleep 0.3; echo on'));
    stop.abort();
    expect(await stopped).toMatchObject({ endedBy: 'interruption' });
    expect((await other).stdout.toString()).toBe('on\n');
  });

  it('rejects as a start does where there is no such program', async () => {
    await expect(runGroup({ ...wish(''), file: 'no-such-program' })).rejects.toMatchObject({
      code: 'ENOENT',
      syscall: expect.stringContaining('spawn') as string,
    });
  });
});

describe('where the process that starts programs is killed', () => {
  let world: World;
  beforeEach(() => {
    world = newWorld(process.env['PATH']);
  });
  afterEach(() => world.remove());

  it('how its programs ended is not known, and the worktrees that they worked in are opened again', async () => {
    const project = { projectId: newId(), name: '001-first-work', repo: world.repo, ref: 'main' };
    const worktree = await world.worktrees.open(project, SIGNAL);
    const [quiet, env] = [await world.open({ name: '002-quiet-work' }), wish('').env];
    const lost = runGroup(wish('sleep 1', { env: { ...env, [PROCESS_MARK]: markOf(worktree.projectId) } }));
    const elsewhere = runGroup(wish('sleep 1'));
    const host = await eventually('there is a host', () => Promise.resolve(hostOf()));
    process.kill(host, 'SIGKILL');
    const unknown = { exitCode: null, endedBy: null, isCut: false };
    expect(await Promise.all([lost, elsewhere])).toMatchObject([unknown, unknown]);
    expect(await world.worktrees.snapshot(quiet), 'nothing of it was running').toBe(quiet.baseCommit);
    await expect(world.worktrees.snapshot(worktree)).rejects.toMatchObject({ code: 'WORKTREE_TAKEN' });
    expect(await world.worktrees.open(project, SIGNAL)).toEqual(worktree);
    expect(await world.worktrees.snapshot(worktree)).toBe(worktree.baseCommit);
  });
});
