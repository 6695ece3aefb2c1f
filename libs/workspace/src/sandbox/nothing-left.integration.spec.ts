import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GRACE_MS, LeftBehindProcesses, type ProcessRecord } from '#process-monitor';
import { eventually, hasBwrap, spawnSource, tempFolder, type TempFolder } from '#testing';
import { ListRegistry, sandboxWorld, type SandboxWorld } from './sandbox.fixture.js';
import type { SandboxWish } from './sandbox.port.js';

const KINDS: readonly SandboxWish[] = hasBwrap() ? ['auto', 'limited', 'none'] : ['limited', 'none'];
let folder: TempFolder;
let world: SandboxWorld;
let token: string;
let nth = 0;

beforeEach(async () => {
  folder = tempFolder('nothing-left');
  world = await sandboxWorld(folder.path);
  token = `3${String(process.pid)}.${String((nth += 1))}`;
});
afterEach(() => folder.remove());

/** Pids of whoever sleeps for our own number of seconds, in whatever namespace. */
function sleepers(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`sleep\0${token}`);
    } catch {
      return false;
    }
  });
}

/** What keeps running, each in another way out of reach. Ends when all of them run. */
function escapes(): string {
  const sleep = `sleep ${token}`;
  return `
    ${sleep} &
    setsid ${sleep} &
    (setsid ${sleep} &)
    (trap '' TERM HUP; exec ${sleep}) &
    (setsid sh -c 'trap "" TERM HUP INT; (${sleep} &) ; ${sleep}' >/dev/null 2>&1 </dev/null &)
    until [ $(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -o 'sleep ${token}' | wc -l) -ge 6 ]; do sleep 0.05; done
    touch all-there`;
}

const runs = (wish: SandboxWish, script: string, more = {}) =>
  world.sandboxes.pick(wish).run(world.shell(script, more));

describe.each(KINDS)('of a run in the sandbox %s nothing is left', (wish) => {
  it('when it ends by itself and has left daemons behind', async () => {
    expect(await runs(wish, escapes())).toMatchObject({ exitCode: 0, endedBy: 'itself' });
    expect(sleepers()).toEqual([]);
    expect(world.registry.records.size).toBe(0);
  });

  it('when it is interrupted and ignores SIGTERM', async () => {
    const abort = new AbortController();
    const running = runs(wish, `trap '' TERM; ${escapes()}; sleep ${token}`, { signal: abort.signal });
    await eventually('all are there', () => existsSync(join(world.worktree, 'all-there')));
    abort.abort();
    expect(await running).toMatchObject({ exitCode: null, endedBy: 'interruption' });
    expect(sleepers()).toEqual([]);
  });

  it('when it is interrupted, and it may tidy up first', async () => {
    const abort = new AbortController();
    const script = `trap 'echo tidied; exit 3' TERM; touch all-there; while :; do sleep 0.1; done`;
    const running = runs(wish, script, { signal: abort.signal });
    await eventually('it runs', () => existsSync(join(world.worktree, 'all-there')));
    const abortedAt = performance.now();
    abort.abort();
    expect(await running).toMatchObject({ exitCode: 3, stdout: 'tidied\n', endedBy: 'interruption' });
    expect(performance.now() - abortedAt).toBeLessThan(GRACE_MS);
  });

  it('when it multiplies', async () => {
    // Bounded, for the day that the limit does not hold.
    const bomb = `use POSIX 'setsid'; for (1 .. 9) { if (!fork) { setsid() } } exec 'sleep', '${token}'`;
    const command = world.shell('', { file: 'perl', args: ['-e', bomb], limits: { processes: 60 } });
    const result = await world.sandboxes.pick(wish).run(command);
    expect(result).toMatchObject({ exitCode: null, endedBy: 'processes' });
    await eventually('all are gone', () => sleepers().length === 0);
  });

  describe('when its worker is killed', () => {
    let worker: ChildProcess;
    afterEach(() => worker.kill('SIGKILL'));

    it('and the sweep has been here where the kernel does not see to it', async () => {
      const file = new URL('./sandboxed-worker.fixture.ts', import.meta.url);
      worker = spawnSource(file, [folder.path, wish, `${escapes()}; sleep ${token}`]);
      const lines = createInterface(worker.stdout as Readable)[Symbol.asyncIterator]();
      const { record } = JSON.parse((await lines.next()).value as string) as { record: ProcessRecord };
      await eventually('all are there', () => existsSync(join(world.worktree, 'all-there')));
      // The last of them may not have become a sleeper yet.
      await eventually('all of them sleep', () => sleepers().length >= 6);
      const gone = once(worker, 'exit');
      worker.kill('SIGKILL');
      await gone;
      if (!world.sandboxes.pick(wish).guarantees.ownsProcesses) {
        const registry = new ListRegistry();
        registry.records.add(record);
        const parts = { givenUp: new Map(), onStuck: () => expect.unreachable() };
        expect(await new LeftBehindProcesses(registry, 'here', parts).sweep('another')).toBe(1);
      }
      await eventually('all are gone', () => sleepers().length === 0);
    });
  });
});
