import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '#testing';
import { openCommands, STUBBORN_ESCAPE } from './commands.fixture.js';
import {
  endGroup, isAlive, isGroupAlive, membersOf, type ProcessRecord, readTable, startTimeOf, treeOf,
} from './index.js'; // prettier-ignore
import { killWorkerOf } from './kill-worker.fixture.js';

let commands: ReturnType<typeof openCommands>;
let started: ChildProcess[];

beforeEach(() => {
  commands = openCommands();
  started = [];
});
afterEach(async () => {
  for (const child of started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  await commands.folder.remove();
});

function start(file: string, args: string[]): number {
  const child = spawn(file, args, { detached: true, cwd: commands.folder.path, stdio: 'ignore' });
  started.push(child);
  return child.pid ?? 0;
}

function recordOf(pid: number, more: Partial<ProcessRecord> = {}): ProcessRecord {
  const startTime = startTimeOf(pid) ?? '';
  return { host: 'here', pid, startTime, group: pid, projectId: 'p', purpose: 'x', workerId: 'w', ...more };
}

/** What the kernel's table says, whatever the start time is made of. */
const ticksOf = (startTime: string | null): string => startTime?.split(':').at(-1) ?? '';

const bootOf = (startTime: string | null): string => startTime?.split(':')[0] ?? '';

describe('what a dead worker left', () => {
  it('is ended before anybody else works on the project', async () => {
    const pid = start('sh', ['-c', 'sleep 60 & wait']);
    commands.registry.records.push(recordOf(pid));
    await eventually('it runs', async () => membersOf(pid).length > 1 || undefined);
    await commands.leftBehind.endAll('p');
    expect(membersOf(pid)).toEqual([]);
    expect(commands.registry.records).toEqual([]);
  });

  it('is ended even if it left its group and ignores SIGTERM', async () => {
    const record = await killWorkerOf({
      folder: commands.folder.path,
      script: `${STUBBORN_ESCAPE}; sleep 60`,
      until: () => commands.appears('escaped'),
    });
    expect(startTimeOf(commands.pidIn('escaped'))).not.toBeNull();
    commands.registry.records.push(record);
    await commands.leftBehind.endAll(record.projectId);
    expect(startTimeOf(commands.pidIn('escaped'))).toBeNull();
    expect(commands.registry.records).toEqual([]);
  });

  it('is ended in a group whose leader is gone', async () => {
    const record = await killWorkerOf({
      folder: commands.folder.path,
      script: 'sleep 60 & echo $! > part; mv part member; wait',
      until: () => commands.appears('member'),
    });
    expect(membersOf(record.group)).toEqual([commands.pidIn('member')]);
    expect(isGroupAlive(record)).toBe(true);
    commands.registry.records.push(record);
    commands.registry.abandoned.add(record.workerId);
    expect(await commands.leftBehind.sweep('another')).toBe(1);
    expect(membersOf(record.group)).toEqual([]);
  });

  it('is never taken for somebody’s group that got the same number and lost its leader', async () => {
    const pid = start('sh', ['-c', 'sleep 60 & echo $! > member']);
    await eventually('the leader is gone', () => startTimeOf(pid) === null && membersOf(pid).length === 1);
    const record = recordOf(pid, { startTime: `${bootOf(startTimeOf(process.pid))}:1` });
    expect([isGroupAlive(record), treeOf(record, await readTable())]).toEqual([false, []]);
    commands.registry.records.push(record);
    expect(await commands.leftBehind.sweep('another')).toBe(1);
    expect(membersOf(pid)).toEqual([commands.pidIn('member')]);
    process.kill(commands.pidIn('member'), 'SIGKILL');
  });

  it('is never taken for somebody else who got the same pid', async () => {
    const pid = start('sleep', ['60']);
    await endGroup(recordOf(pid, { startTime: `${startTimeOf(pid) ?? ''}1` }), 100);
    expect(startTimeOf(pid)).not.toBeNull();
  });

  it('is never taken for somebody who got the same pid at the same time after another boot', async () => {
    const pid = start('sleep', ['60']);
    const record = recordOf(pid, { startTime: `0badb007:${ticksOf(startTimeOf(pid))}` });
    expect([record.startTime, ticksOf(startTimeOf(pid))].map((time) => isAlive(pid, time))).toEqual([false, false]);
    commands.registry.records.push(record);
    expect(await commands.leftBehind.sweep('another')).toBe(1);
    expect(startTimeOf(pid)).not.toBeNull();
    expect(commands.registry.records).toEqual([]);
  });

  it('is not signalled in a group of another boot either', async () => {
    const pid = start('sh', ['-c', '(sleep 60 & echo $! > member) & wait; exit 0']);
    await eventually('the leader is gone', () => startTimeOf(pid) === null && membersOf(pid).length === 1);
    await endGroup(recordOf(pid, { startTime: '0badb007:1' }), 100);
    expect(membersOf(pid)).toEqual([commands.pidIn('member')]);
    process.kill(commands.pidIn('member'), 'SIGKILL');
  });

  it('does not count a zombie as alive', async () => {
    // It ends only when its parent has become a program that does not bury its children.
    const child = `sh -c 'until grep -q sleep /proc/$PPID/comm; do :; done'`;
    start('sh', ['-c', `${child} & echo $! > zombie; exec sleep 60`]);
    const file = join(commands.folder.path, 'zombie');
    const pid = await eventually('the zombie is there', async () => {
      const found = existsSync(file) ? commands.pidIn('zombie') : 0;
      return found > 0 && /^\d+ \(.*\) Z /.test(readFileSync(`/proc/${String(found)}/stat`, 'utf8'))
        ? found
        : undefined;
    });
    expect(startTimeOf(pid)).toBeNull();
    expect(isAlive(pid, '1')).toBe(false);
  });
});

describe('the sweep', () => {
  it('strikes off what has ended and whose release was lost', async () => {
    const release = commands.registry.release.bind(commands.registry);
    commands.registry.release = () => Promise.reject(new Error('the database is away'));
    expect(await commands.runner.run(commands.shell('echo counts'))).toMatchObject({ stdout: 'counts\n' });
    expect(commands.registry.records).toHaveLength(1);
    commands.registry.release = release;
    expect(await commands.leftBehind.sweep('w')).toBe(1);
    expect(commands.registry.records).toEqual([]);
  });

  it('ends what others abandoned, and neither its own worker’s commands nor those of one that is only late', async () => {
    const [own, late, abandoned] = ['own', 'late', 'gone'].map((workerId) => {
      const record = recordOf(start('sleep', ['60']), { workerId });
      commands.registry.records.push(record);
      return record;
    }) as [ProcessRecord, ProcessRecord, ProcessRecord];
    commands.registry.abandoned.add('gone').add('own');
    expect(await commands.leftBehind.sweep('own')).toBe(1);
    expect(commands.registry.records).toEqual([own, late]);
    expect([own, late, abandoned].map(({ pid, startTime }) => isAlive(pid, startTime))).toEqual([true, true, false]);
  });
});

describe('a worker that stops', () => {
  it('ends what it still runs at once, and nothing of others', async () => {
    const [own, other] = ['own', 'other'].map((workerId) => {
      const record = recordOf(start('sh', ['-c', `trap '' TERM; while :; do sleep 1; done`]), { workerId });
      commands.registry.records.push(record);
      return record;
    }) as [ProcessRecord, ProcessRecord];
    const startedAt = performance.now();
    await commands.leftBehind.endOwn('own');
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect([own, other].map(({ pid, startTime }) => isAlive(pid, startTime))).toEqual([false, true]);
    expect(commands.registry.records).toEqual([other]);
  });
});
