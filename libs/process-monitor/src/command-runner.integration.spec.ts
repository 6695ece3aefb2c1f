import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LeaseLost } from '#engine';
import { eventually, tempFolder, type TempFolder } from '#testing';
import {
  type Command,
  CommandRunner,
  endGroup,
  isAlive,
  LeftBehindProcesses,
  membersOf,
  startTimeOf,
} from './index.js';
import { MemoryRegistry } from './memory-registry.fixture.js';

const lease = { projectId: 'p', workerId: 'w', epoch: 3 };
const PATH = '/usr/local/bin:/usr/bin:/bin';
let folder: TempFolder;
let registry: MemoryRegistry;
let runner: CommandRunner;

beforeEach(() => {
  folder = tempFolder('commands');
  registry = new MemoryRegistry(lease);
  runner = new CommandRunner(registry, { host: 'here', path: PATH });
});
afterEach(() => folder.remove());

const shell = (script: string, more: Partial<Command> = {}): Command => ({
  file: 'sh',
  args: ['-c', script],
  cwd: folder.path,
  lease,
  purpose: 'a test',
  timeoutMs: 20_000,
  signal: new AbortController().signal,
  ...more,
});

const nobodyLeft = async (): Promise<void> => {
  for (const { group } of registry.everRegistered) {
    await eventually('the group is gone', async () => membersOf(group).length === 0 || undefined);
  }
  expect(registry.records).toEqual([]);
};

describe('a command', () => {
  it('gives its output and exit code, and leaves no record', async () => {
    const result = await runner.run(shell('echo out; echo err >&2; exit 3'));
    expect(result).toEqual({ exitCode: 3, stdout: 'out\n', stderr: 'err\n', endedBy: 'itself' });
    expect(registry.everRegistered).toHaveLength(1);
    await nobodyLeft();
  });

  it('sees neither the service’s environment nor its input', async () => {
    const { stdout } = await runner.run(shell('env; cat', { env: { ONLY: 'this' } }));
    const names = stdout.trim().split('\n').map((line) => line.split('=')[0]); // prettier-ignore
    expect(names.sort()).toEqual(['LANG', 'ONLY', 'PATH', 'PWD']);
  });

  it('does nothing at all under a lease that is void', async () => {
    const stale = shell('touch did-something', { lease: { ...lease, epoch: 2 } });
    await expect(runner.run(stale)).rejects.toBeInstanceOf(LeaseLost);
    expect(existsSync(join(folder.path, 'did-something'))).toBe(false);
  });

  it('is ended with everything it started when it is interrupted, even if that ignores SIGTERM', async () => {
    const abort = new AbortController();
    const script = `trap '' TERM; (trap '' TERM; sleep 60) & sleep 60 & echo started > started; wait`;
    const running = runner.run(shell(script, { signal: abort.signal }));
    await eventually('it has started', async () => existsSync(join(folder.path, 'started')) || undefined);
    abort.abort();
    expect((await running).endedBy).toBe('interruption');
    await nobodyLeft();
  });

  it('is ended by its time-out and by too much output', async () => {
    expect((await runner.run(shell('sleep 60', { timeoutMs: 100 }))).endedBy).toBe('time-out');
    const loud = await runner.run(shell('while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done'));
    expect(loud.endedBy).toBe('output');
    expect(loud.stdout.length).toBeLessThanOrEqual(1024 * 1024);
    await nobodyLeft();
  });

  it('takes along what it left running in the background', async () => {
    await runner.run(shell('sleep 60 >/dev/null 2>&1 &'));
    await nobodyLeft();
  });

  it('says so when there is no such program or folder', async () => {
    expect(await runner.run(shell('', { file: 'no-such-program', args: [] }))).toMatchObject({ exitCode: 127 });
    await expect(runner.run(shell('true', { cwd: '/no/such/folder' }))).rejects.toMatchObject({
      code: 'COMMAND_NOT_STARTED',
    });
  });
});

describe('what a dead worker left', () => {
  it('is ended before anybody else works on the project', async () => {
    const child = spawn('sh', ['-c', 'sleep 60 & echo $$ > pid; wait'], {
      detached: true,
      cwd: folder.path,
      stdio: 'ignore',
    });
    const exited = once(child, 'exit');
    const pid = child.pid ?? 0;
    const record = {
      host: 'here',
      pid,
      startTime: startTimeOf(pid) ?? '',
      group: pid,
      projectId: 'p',
      purpose: 'x',
      workerId: 'w',
    };
    await registry.register(record, lease);
    await eventually('it runs', async () => membersOf(pid).length > 1 || undefined);
    await new LeftBehindProcesses(registry, 'here').endAll('p');
    await nobodyLeft();
    await exited;
  });

  it('is struck off the registry by the sweep when its release was lost', async () => {
    registry.release = () => Promise.reject(new Error('the database is away'));
    expect(await runner.run(shell('echo counts'))).toMatchObject({ stdout: 'counts\n' });
    expect(registry.records).toHaveLength(1);
    const well = new MemoryRegistry(lease);
    well.records.push(...registry.records);
    expect(await new LeftBehindProcesses(well, 'here').sweep()).toBe(1);
    expect(well.records).toEqual([]);
  });

  it('is never taken for somebody else who got the same pid', async () => {
    const stranger = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    const pid = stranger.pid ?? 0;
    const record = { host: 'here', pid, startTime: '1', group: pid, projectId: 'p', purpose: 'x', workerId: 'w' };
    await endGroup(record, 100);
    expect(startTimeOf(pid)).not.toBeNull();
    stranger.kill('SIGKILL');
    await once(stranger, 'exit');
  });

  it('does not count a zombie as alive', async () => {
    const parent = spawn('sh', ['-c', 'sh -c "exit 0" & echo $! > zombie; exec sleep 60'], {
      cwd: folder.path,
      stdio: 'ignore',
    });
    const file = join(folder.path, 'zombie');
    const pid = await eventually('the zombie is there', async () => {
      const found = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
      return found > 0 && /^\d+ \(.*\) Z /.test(readFileSync(`/proc/${String(found)}/stat`, 'utf8'))
        ? found
        : undefined;
    });
    expect(startTimeOf(pid)).toBeNull();
    expect(isAlive(pid, '1')).toBe(false);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
  });
});
