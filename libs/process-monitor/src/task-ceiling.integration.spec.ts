import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '#kernel';
import { eventually } from '#testing';
import { findCgroupHomes } from './cgroup-homes.js';
import { openCommands } from './commands.fixture.js';
import { startTimeOf } from './index.js';
import { killWorkerOf } from './kill-worker.fixture.js';

vi.mock('./cgroup-homes.js', { spy: true });

const homes = findCgroupHomes();

describe.runIf(process.getuid?.() === 0 && homes.length > 0)('the ceiling of a run whose worker is gone', () => {
  let commands: ReturnType<typeof openCommands>;
  beforeEach(() => {
    vi.resetModules();
    commands = openCommands();
  });
  afterEach(async () => {
    vi.mocked(findCgroupHomes).mockReset();
    await commands.folder.remove();
  });

  it('shows the first sweep of a new process who is left, whatever became of parent, group and environment', async () => {
    const hidden = `(setsid env -i sh -c 'echo $$ > part; mv part hidden; exec sleep 60' &); sleep 60`;
    const record = await killWorkerOf({
      folder: commands.folder.path,
      script: hidden,
      limits: { processes: 20 },
      until: () => commands.appears('hidden'),
    });
    expect(startTimeOf(commands.pidIn('hidden'))).not.toBeNull();
    commands.registry.records.push(record);
    commands.registry.abandoned.add(record.workerId);
    const { LeftBehindProcesses } = await import('./left-behind.js');
    const sweeping = { givenUp: new Map(), onStuck: () => expect.unreachable() };
    expect(await new LeftBehindProcesses(commands.registry, 'here', sweeping).sweep('another')).toBe(1);
    expect(startTimeOf(commands.pidIn('hidden'))).toBeNull();
  });

  describe('and whose record is gone too', () => {
    const [home] = homes;
    /** Nobody else’s ceilings are touched. */
    const folder = join(home?.folder ?? '', `test-${newId()}`);
    const boot = (startTimeOf(process.pid) ?? '').split(':')[0] ?? '';
    const ceiling = join(folder, `qralph-1-${boot}-1`);
    let member: ChildProcess;
    beforeEach(() => {
      mkdirSync(ceiling, { recursive: true });
      member = spawn('sleep', ['60'], { stdio: 'ignore' });
      writeFileSync(join(ceiling, 'cgroup.procs'), String(member.pid));
    });
    afterEach(async () => {
      if (member.exitCode === null && member.signalCode === null) {
        member.kill('SIGKILL');
        await once(member, 'exit');
      }
      for (const one of [ceiling, folder].filter((path) => existsSync(path))) rmdirSync(one);
    });

    it('is taken away with whoever is left below it, once nobody can be tidying up any more', async () => {
      const { removeOldCeilings } = await import('./task-ceiling.js');
      const { findCgroupHomes: find } = await import('./cgroup-homes.js');
      vi.mocked(find).mockReturnValue([{ folder, version: 1, controllers: ['pids'] }]);
      removeOldCeilings(1_000);
      removeOldCeilings(30_900);
      expect([startTimeOf(member.pid ?? 0), existsSync(ceiling)]).not.toEqual([null, false]);
      const exited = once(member, 'exit');
      removeOldCeilings(31_000);
      expect(await exited).toEqual([null, 'SIGKILL']);
      await eventually('the ceiling is gone', () => {
        removeOldCeilings(32_000);
        return !existsSync(ceiling);
      });
    });
  });
});
