import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openCommands } from './commands.fixture.js';
import { endGroup, membersOf, Orphans } from './index.js';
import { killWorkerOf } from './kill-worker.fixture.js';

vi.mock('./end-group.js', { spy: true });

let commands: ReturnType<typeof openCommands>;
let orphans: Orphans;
const counted = (projectId = commands.lease.projectId): Promise<number> => orphans.orphansOf(projectId);

beforeEach(() => {
  commands = openCommands();
  orphans = new Orphans(commands.registry, 'here', commands.runner);
});
afterEach(async () => {
  vi.resetAllMocks();
  await commands.folder.remove();
});

const QUIET = '>/dev/null 2>&1 &';

describe('orphans of a project', () => {
  it('are none while its commands run, nor when what they left ends as soon as it is asked to', async () => {
    const running = commands.runner.run(commands.shell(`sleep 60 ${QUIET} touch begun; until [ -e enough ]; do sleep 0.02; done`)); // prettier-ignore
    await commands.appears('begun');
    expect(await counted()).toBe(0);
    await commands.runner.run(commands.shell('touch enough'));
    expect(await running).toMatchObject({ endedBy: 'itself', exitCode: 0 });
    expect(await counted()).toBe(0);
  });

  it('are those that had to be killed after their command had ended, whenever somebody asks', async () => {
    const stubborn = `sh -c 'trap "" TERM; touch $0; exec sleep 60'`;
    const leaves = `for name in one two; do ${stubborn} $name ${QUIET} done; until [ -e one ] && [ -e two ]; do sleep 0.02; done`;
    await commands.runner.run(commands.shell(leaves));
    expect(await counted()).toBe(2);
    expect(await counted('another project')).toBe(0);
    expect(commands.registry.records).toEqual([]);
  }, 20_000);

  it('are none of those that were killed because their command was', async () => {
    const stubborn = `trap "" TERM; while :; do sleep 0.1; done`;
    const result = await commands.runner.run(commands.shell(stubborn, { timeoutMs: 100 }));
    expect([result.endedBy, await counted()]).toEqual(['time-out', 0]);
  }, 20_000);

  it('are what a dead worker left, until it is ended', async () => {
    const record = await killWorkerOf({
      folder: commands.folder.path,
      script: 'sleep 60 & sleep 60 & touch begun; wait',
      until: () => commands.appears('begun'),
    });
    expect(membersOf(record.group)).toHaveLength(2);
    commands.registry.records.push(record);
    expect(await counted(record.projectId), 'its worker holds the project still').toBe(0);
    commands.registry.abandoned.add(record.workerId);
    expect(await counted(record.projectId)).toBe(2);
    expect(await counted('another project')).toBe(0);
    await commands.leftBehind.endAll(record.projectId);
    expect(await counted(record.projectId)).toBe(0);
  });

  it('are what this worker gave up on, until its sweep has ended it', async () => {
    vi.mocked(endGroup).mockRejectedValueOnce(new Error('too many open files'));
    await commands.runner.run(commands.shell(`sleep 60 ${QUIET}`));
    commands.registry.abandoned.add('w');
    expect(await counted()).toBe(1);
    expect(await commands.leftBehind.sweep('w')).toBe(1);
    expect(await counted()).toBe(0);
  });

  it('are never somebody else’s who got the same number', async () => {
    const { projectId } = commands.lease;
    const { pid } = process;
    const record = {
      host: 'here',
      pid,
      startTime: '0badb007:1',
      group: pid,
      projectId,
      purpose: 'x',
      workerId: 'gone',
    };
    commands.registry.records.push(record);
    commands.registry.abandoned.add('gone');
    expect(await counted()).toBe(0);
  });
});
