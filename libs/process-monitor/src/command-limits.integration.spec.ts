import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '#testing';
import { findCgroupHomes } from './cgroup-homes.js';
import { openCommands } from './commands.fixture.js';
import { GRACE_MS, membersOf, mostTasks, readTable, treeOf } from './index.js';

const MIB = 1024 * 1024;
let commands: ReturnType<typeof openCommands>;

beforeEach(() => {
  commands = openCommands();
});
afterEach(() => commands.folder.remove());

/** Nobody of any run so far is alive, wherever it went. */
async function nobodyLeft(): Promise<void> {
  const table = await readTable();
  for (const record of commands.registry.everRegistered) expect(treeOf(record, table)).toEqual([]);
  expect(commands.registry.records).toEqual([]);
}

async function timed<T>(running: Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now();
  return [await running, performance.now() - startedAt];
}

describe('a command with limits', () => {
  it('is ended at once with all that it started when there are too many of them', async () => {
    // Bounded, for the day that the limit does not hold.
    const bomb = 'trap "" TERM; n=0; while [ $n -lt 200 ]; do (trap "" TERM; sleep 30) & n=$((n + 1)); done; wait';
    const [result, tookMs] = await timed(commands.runner.run(commands.shell(bomb, { limits: { processes: 20 } })));
    expect(result).toMatchObject({ exitCode: null, endedBy: 'processes' });
    expect(tookMs).toBeLessThan(GRACE_MS);
    await nobodyLeft();
  });

  it('is ended when its children that left the group are too many', async () => {
    const bomb = 'n=0; while [ $n -lt 100 ]; do setsid sleep 30 & n=$((n + 1)); done; wait';
    const result = await commands.runner.run(commands.shell(bomb, { limits: { processes: 20 } }));
    expect(result.endedBy).toBe('processes');
    await nobodyLeft();
  });

  it('is ended when its children that left it altogether are too many', async () => {
    const bomb = 'n=0; while [ $n -lt 60 ]; do (setsid sleep 30 &); n=$((n + 1)); done; sleep 30';
    const result = await commands.runner.run(commands.shell(bomb, { limits: { processes: 20 } }));
    expect(result.endedBy).toBe('processes');
    await nobodyLeft();
  });

  it('is ended when the tree holds too much memory', async () => {
    const hog = 'head -c 200000000 /dev/zero | tail -n 1 | sleep 30';
    const result = await commands.runner.run(commands.shell(hog, { limits: { memoryBytes: 100 * MIB } }));
    expect(result.endedBy).toBe('memory');
    await nobodyLeft();
  });

  it('is not charged twice for memory that its processes share', async () => {
    const share = `$held = "x" x ${String(60 * MIB)}; fork or do { sleep 1; exit } for 1 .. 4; 1 while wait > 0; exit 7`;
    const command = commands.shell('', { file: 'perl', args: ['-e', share], limits: { memoryBytes: 200 * MIB } });
    const result = await commands.runner.run(command);
    expect(result).toMatchObject({ exitCode: 7, endedBy: 'itself' });
  });

  it('is left alone below them', async () => {
    const limits = { processes: 20, memoryBytes: 500 * MIB, outputBytes: 100 };
    const result = await commands.runner.run(commands.shell('sleep 0.3 & sleep 0.3 & wait; echo done', { limits }));
    expect(result).toEqual({ exitCode: 0, stdout: 'done\n', stderr: '', endedBy: 'itself' });
  });

  it('is ended when it writes more than it may, of which the beginning is kept', async () => {
    const limits = { outputBytes: 1_000 };
    const [result, tookMs] = await timed(commands.runner.run(commands.shell('yes; sleep 30', { limits })));
    expect(result.endedBy).toBe('output');
    expect(result.stdout).toBe('y\n'.repeat(500));
    expect(tookMs).toBeLessThan(GRACE_MS);
    expect((await commands.runner.run(commands.shell('yes >&2', { limits }))).stderr).toHaveLength(1_000);
    await nobodyLeft();
  });

  it('does not wait for a reader who has heard enough', async () => {
    const stubborn = commands.shell(`trap '' TERM PIPE; while :; do head -c 100000 /dev/zero; done`);
    const [result, tookMs] = await timed(commands.runner.run({ ...stubborn, limits: { outputBytes: 10 } }));
    expect(result).toMatchObject({ endedBy: 'output', stdout: '\0'.repeat(10) });
    expect(tookMs).toBeLessThan(GRACE_MS + 2_000);
  });
});

describe('a command’s output and input', () => {
  it('is heard as it comes, up to the limit', async () => {
    const heard: string[] = [];
    const abort = new AbortController();
    const onOutput = (stream: string, chunk: Buffer): void => {
      heard.push(`${stream}: ${chunk.toString()}`);
      abort.abort();
    };
    const script = 'echo first; sleep 30';
    const result = await commands.runner.run(commands.shell(script, { onOutput, signal: abort.signal }));
    expect(result).toMatchObject({ stdout: 'first\n', endedBy: 'interruption' });
    expect(heard).toEqual(['stdout: first\n']);
    heard.length = 0;
    await commands.runner.run(commands.shell('echo 12345 >&2', { onOutput, limits: { outputBytes: 3 } }));
    expect(heard).toEqual(['stderr: 123']);
  });

  it('is read from a file', async () => {
    const stdinFile = join(commands.folder.path, 'a file; $(touch bad)');
    writeFileSync(stdinFile, 'from the file');
    expect(await commands.runner.run(commands.shell('cat', { stdinFile }))).toMatchObject({ stdout: 'from the file' });
    expect(commands.exists('bad')).toBe(false);
  });

  it('is not started without its file', async () => {
    const running = commands.runner.run(commands.shell('touch began', { stdinFile: '/no/such/file' }));
    await expect(running).rejects.toMatchObject({ code: 'COMMAND_NOT_STARTED' });
    expect([commands.exists('began'), commands.registry.everRegistered]).toEqual([false, []]);
  });
});

describe('the tree of a run', () => {
  it('has the descendants of whoever belongs to it, in their groups or not', async () => {
    const abort = new AbortController();
    const script = `env -i setsid sh -c 'echo $$ > part; mv part child; sleep 30 & wait' & wait`;
    const running = commands.runner.run(commands.shell(script, { signal: abort.signal }));
    await commands.appears('child');
    const [record] = commands.registry.records;
    const child = commands.pidIn('child');
    const tree = treeOf(record!, await readTable());
    expect(tree.map(({ pid }) => pid)).toEqual(expect.arrayContaining([record!.pid, child]));
    expect(tree.find(({ pid }) => pid === child)?.group).toBe(child);
    abort.abort();
    await running;
    expect(membersOf(child)).toEqual([]);
  });
});

describe.runIf(process.getuid?.() === 0 && findCgroupHomes().length > 0)('the ceiling of a run by root', () => {
  const below = (): string[] => findCgroupHomes().flatMap(({ folder }) => readdirSync(folder));

  it('is held by the kernel where a look would be too late, and is gone after the run', async () => {
    const abort = new AbortController();
    const limits = { processes: 20 };
    const running = commands.runner.run(commands.shell('touch began; sleep 30', { limits, signal: abort.signal }));
    await commands.appears('began');
    const [record] = commands.registry.records;
    const [home] = findCgroupHomes().filter(({ controllers }) => controllers.includes('pids'));
    const name = below().find((one) => one.startsWith(`qralph-${String(record?.pid)}-`)) ?? '';
    expect(readFileSync(join(home?.folder ?? '', name, 'pids.max'), 'utf8').trim()).toBe(String(mostTasks(20)));
    abort.abort();
    await running;
    await eventually('it is gone', async () => {
      await commands.leftBehind.sweep('w');
      return !below().includes(name);
    });
  });
});
