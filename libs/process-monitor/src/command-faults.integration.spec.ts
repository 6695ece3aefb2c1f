import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '#testing';
import { openCommands } from './commands.fixture.js';
import { endGroup, membersOf } from './index.js';
import { startTimeOf } from './proc.js';

vi.mock('./proc.js', { spy: true });
vi.mock('./end-group.js', { spy: true });

const noHandles = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
let commands: ReturnType<typeof openCommands>;

beforeEach(() => {
  commands = openCommands();
});
afterEach(async () => {
  vi.resetAllMocks();
  await commands.folder.remove();
});

describe('a command whose process cannot be looked at', () => {
  const lookedAt: number[] = [];
  it.each([
    ['it is not in the table', () => null],
    [
      'there is no file handle left',
      () => {
        throw noHandles;
      },
    ],
  ])('is not started, and not left waiting: %s', async (_, answer) => {
    vi.mocked(startTimeOf).mockImplementation((pid) => {
      lookedAt.push(pid);
      return answer();
    });
    const running = commands.runner.run(commands.shell('touch did-something', { timeoutMs: 1_000 }));
    await expect(running).rejects.toMatchObject({ code: 'COMMAND_NOT_STARTED' });
    expect(commands.exists('did-something')).toBe(false);
    expect(membersOf(lookedAt.at(-1) ?? 0)).toEqual([]);
  });
});

describe('a command whose end cannot be seen to', () => {
  it('keeps its result, and its record for the sweep', async () => {
    vi.mocked(endGroup).mockRejectedValueOnce(noHandles);
    expect(await commands.runner.run(commands.shell('echo counts; exit 4'))).toMatchObject({
      exitCode: 4,
      stdout: 'counts\n',
      endedBy: 'itself',
    });
    expect(commands.registry.records).toHaveLength(1);
    expect(await commands.leftBehind.sweep('w')).toBe(1);
    expect(commands.registry.records).toEqual([]);
  });

  it('is killed at its time-out all the same', async () => {
    vi.mocked(endGroup).mockRejectedValue(noHandles);
    const result = await commands.runner.run(commands.shell('sleep 60', { timeoutMs: 100 }));
    expect(result).toMatchObject({ exitCode: null, endedBy: 'time-out' });
    const [record] = commands.registry.records;
    await eventually('nobody is left', () => membersOf(record?.group ?? 0).length === 0);
  });
});

describe('a command that the runner gave up on', () => {
  it('is ended by the sweep of its own worker', async () => {
    vi.mocked(endGroup).mockRejectedValueOnce(noHandles);
    await commands.runner.run(commands.shell('sleep 60 >/dev/null 2>&1 &'));
    const [record] = commands.registry.records;
    expect(membersOf(record?.group ?? 0)).toHaveLength(1);
    expect(await commands.leftBehind.sweep('w')).toBe(1);
    expect(membersOf(record?.group ?? 0)).toEqual([]);
    expect([commands.registry.records, commands.runner.givenUp.size]).toEqual([[], 0]);
  });
});

describe('what was left behind and cannot be ended', () => {
  const left = (pid: number) => {
    const record = { host: 'here', pid, startTime: '0badb007:1', group: pid, projectId: 'p', purpose: 'x', workerId: 'gone' }; // prettier-ignore
    commands.registry.records.push(record);
    return record;
  };

  it('keeps its record, is told of once, and keeps nobody else from being swept', async () => {
    const stuck = left(1);
    left(2);
    vi.mocked(endGroup).mockImplementation(({ pid }) => (pid === stuck.pid ? Promise.reject(noHandles) : Promise.resolve())); // prettier-ignore
    expect([await commands.leftBehind.sweep('w'), await commands.leftBehind.sweep('w')]).toEqual([1, 0]);
    expect(commands.registry.records).toEqual([stuck]);
    expect(commands.stuck).toMatchObject([stuck]);
    vi.mocked(endGroup).mockResolvedValue();
    expect(await commands.leftBehind.sweep('w')).toBe(1);
    expect(commands.registry.records).toEqual([]);
  });

  it('keeps others from going on with its project', async () => {
    left(1);
    vi.mocked(endGroup).mockRejectedValue(noHandles);
    await expect(commands.leftBehind.endAll('p')).rejects.toBe(noHandles);
    expect(commands.registry.records).toHaveLength(1);
  });
});

describe('a command on a system without /proc', () => {
  const { platform } = process;
  afterEach(() => Object.defineProperty(process, 'platform', { value: platform }));

  it('is refused', async () => {
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    await expect(commands.runner.run(commands.shell('true'))).rejects.toMatchObject({ code: 'PLATFORM_UNSUPPORTED' });
  });
});
