import { readdirSync, statfsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually, hasBwrap } from '#testing';
import { findCgroupHomes } from './cgroup-homes.js';
import { openCommands } from './commands.fixture.js';
import { HeldMemory } from './held-memory.js';
import { type Command, type CommandResult } from './index.js';
import { LimitWatch } from './limit-watch.js';

const MIB = 1024 * 1024;
const LIMIT = { memoryBytes: 64 * MIB };
const TMPFS = 0x01021994;
/** They end by themselves soon, for the day that the limit does not hold. */
const REST = 'sleep 15';
const FILL = 'head -c 200M /dev/zero';

const memfdCall = { x64: 319, arm64: 279 }[process.arch as string];
const inMemfd = (mib: number): string =>
  `my $fd = syscall(${String(memfdCall)}, my $name = "held", 0); open my $file, ">&=", $fd or die;
   my $part = "x" x ${String(MIB)}; syswrite $file, $part for 1 .. ${String(mib)}; open my $done, ">", "filled"; sleep 15`;

let commands: ReturnType<typeof openCommands>;
beforeEach(() => {
  commands = openCommands();
});
afterEach(() => commands.folder.remove());

const memfd = (mib: number): Partial<Command> => ({ file: 'perl', args: ['-e', inMemfd(mib)] });
const inTmpfs = (script: string): Partial<Command> => ({
  file: 'bwrap',
  args: ['--unshare-all', '--die-with-parent', '--dev-bind', '/', '/', '--tmpfs', '/tmp', 'sh', '-c', script],
});
/** Runs it with the limit, in the kernel's hand where there is a cgroup for it. */
const limited = (more: Partial<Command>, script = ''): Promise<CommandResult> =>
  commands.runner.run(commands.shell(script, { limits: LIMIT, ...more }));

/** Runs it with no cgroup, and says which limit the watcher found it to be past. */
async function watched(more: Partial<Command>, script = ''): Promise<string> {
  const abort = new AbortController();
  const running = commands.runner.run(commands.shell(script, { signal: abort.signal, ...more }));
  await eventually('it is registered', () => commands.registry.records.length > 0);
  const exceeded = await new Promise<string>((resolve) => {
    const watch = new LimitWatch(commands.registry.records[0]!, LIMIT, resolve);
    void running.finally(() => {
      watch.stop();
      resolve('nothing');
    });
  });
  abort.abort();
  await running;
  return exceeded;
}

for (const [how, outcome] of [
  [
    'by whoever sees to the limit here',
    async (more: Partial<Command>, script?: string) => (await limited(more, script)).endedBy,
  ],
  ['by the watcher alone', watched],
] as const) {
  describe(`memory that is in no address space is counted ${how}`, () => {
    it.runIf(memfdCall !== undefined)('in a file that is in no file system', async () => {
      expect(await outcome(memfd(200))).toBe('memory');
    });

    it('in a deleted file of a file system in memory', async () => {
      const script = `exec 3>"/dev/shm/qralph-$$"; rm "/dev/shm/qralph-$$"; ${FILL} >&3; ${REST}`;
      expect(await outcome({}, script)).toBe('memory');
    });

    it.runIf(hasBwrap())('in a file system in memory that only the command has', async () => {
      expect(await outcome(inTmpfs(`${FILL} > /tmp/filled; ${REST}`))).toBe('memory');
    });
  });
}

describe('memory that a command holds', () => {
  it.runIf(memfdCall !== undefined)('is as much as was written, counted once for all who hold it', async () => {
    const abort = new AbortController();
    const running = commands.runner.run(commands.shell('', { ...memfd(8), signal: abort.signal }));
    await commands.appears('filled');
    const { pid } = commands.registry.records[0]!;
    expect(new HeldMemory().bytesOf([pid, pid])).toBe(8 * MIB);
    abort.abort();
    await running;
  });

  it('is nothing for a process like this one, and for one that is gone', () => {
    expect(new HeldMemory().bytesOf([process.pid, 2 ** 22 + 1])).toBe(0);
  });
});

const cgroups = findCgroupHomes().filter(({ controllers }) => controllers.includes('memory'));

describe.runIf(process.getuid?.() === 0 && cgroups.length > 0)('the memory ceiling of a run by root', () => {
  const left = (): string[] => cgroups.flatMap(({ folder }) => readdirSync(folder)).filter((name) => commands.registry.everRegistered.some(({ pid }) => name.startsWith(`qralph-${String(pid)}-`))); // prettier-ignore

  it.runIf(memfdCall !== undefined)(
    'is told from the command’s own end when the kernel was first, and harms nobody else',
    async () => {
      const other = limited({}, 'sleep 3; exit 5');
      // Over before a second look; whoever lost it goes on, and ends with success.
      const script = `perl -e '${inMemfd(200).replace(/ open my \$done.*/, '')}'; exit 0`;
      expect(await limited({}, script)).toMatchObject({ endedBy: 'memory' });
      expect(await other).toMatchObject({ exitCode: 5, endedBy: 'itself' });
      await eventually('it is gone', async () => {
        await commands.leftBehind.sweep('w');
        return left().length === 0;
      });
    },
  );

  it.runIf(statfsSync('/var/tmp').type !== TMPFS)('is not reached by files on a disk, however large', async () => {
    const script = `file=$(mktemp /var/tmp/qralph-XXXXXX) && exec 3>"$file" && rm "$file" && ${FILL} >&3; exit 6`;
    expect(await limited({}, script)).toMatchObject({ exitCode: 6, endedBy: 'itself' });
  });
});
