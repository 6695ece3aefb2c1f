import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CgroupHome, findCgroupHomes } from './cgroup-homes.js';
import type { CommandLimits } from './command.js';
import { isAlive } from './proc.js';
import type { ProcessRecord } from './process-registry.port.js';

/** Programs have threads, which count too. */
const TASKS_PER_PROCESS = 2;
const LEAST_TASKS = 256;

/** How many tasks a run may have before the kernel refuses it another: room for a look to find too many processes. */
export const mostTasks = (processes: number): number => Math.max(LEAST_TASKS, processes * TASKS_PER_PROCESS);

type Run = Pick<ProcessRecord, 'pid' | 'startTime'>;

/** Undefined until they were looked for. */
let found: readonly CgroupHome[] | undefined;

/** Where ceilings are: also those of a process that is gone, in whose place this one was started. */
const homes = (): readonly CgroupHome[] => (found ??= process.getuid?.() === 0 ? findCgroupHomes() : []);

/**
 * What multiplies doubles within milliseconds: no watcher is in time, and the host runs out of pids. Users have a limit
 * of the kernel's own (RLIMIT_NPROC), root is exempt from it: its runs get a cgroup, below the service's own, that
 * counts their tasks, and in which all of them together weigh as much as one other program. Memory is counted there
 * wherever it lies: in files that are in no file system and in those of a file system in memory too. Does nothing where
 * the machine has none to write to: a container should be given a limit from outside.
 */
export async function putUnderCeiling(
  run: Run,
  limits: Pick<CommandLimits, 'processes' | 'memoryBytes'>,
): Promise<void> {
  if (limits.processes === undefined && limits.memoryBytes === undefined) return;
  await Promise.all(
    homes().map(async (home) => {
      try {
        await putBelow(home, run, limits);
      } catch (error) {
        removeFrom(home, run);
        // One that is gone needs no ceiling; whatever else is wrong is so for all.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') found = homes().filter((one) => one !== home);
      }
    }),
  );
}

async function putBelow(home: CgroupHome, run: Run, { processes, memoryBytes }: CommandLimits): Promise<void> {
  const { folder, version, controllers } = home;
  const own = join(folder, nameOf(run));
  mkdirSync(own);
  // Threaded: the service itself may stay where it is, and whatever limits it limits its commands.
  if (isThreaded(home)) writeFileSync(join(own, 'cgroup.type'), 'threaded');
  if (version === 2) writeFileSync(join(folder, 'cgroup.subtree_control'), controllers.map((one) => `+${one}`).join(' ')); // prettier-ignore
  const has = (name: string): boolean => controllers.includes(name);
  if (has('pids') && processes !== undefined) writeFileSync(join(own, 'pids.max'), String(mostTasks(processes)));
  if (has('memory') && memoryBytes !== undefined && Number.isFinite(memoryBytes)) {
    for (const [file, value] of memoryFiles(version, Math.floor(memoryBytes))) {
      // Those about swap are not there where the kernel does not count it.
      if (existsSync(join(own, file))) writeFileSync(join(own, file), String(value));
    }
  }
  // The kernel takes milliseconds over a move: the service does something else meanwhile.
  await writeFile(join(own, 'cgroup.procs'), String(run.pid));
}

/** In the order in which they are written: swap is part of the second figure of version 1, never below the first. */
const memoryFiles = (version: 1 | 2, bytes: number): [string, number][] =>
  version === 1
    ? [['memory.limit_in_bytes', bytes], ['memory.memsw.limit_in_bytes', bytes], ['memory.swappiness', 0]] // prettier-ignore
    : [['memory.max', bytes], ['memory.swap.max', 0], ['memory.oom.group', 1]]; // prettier-ignore

/** Whether the kernel has refused the run another task. */
export function hasHitCeiling(run: Run): boolean {
  const text = read(run, 'pids', 'pids.events');
  return text !== undefined && !/^max 0$/m.test(text);
}

/**
 * Whether the kernel has killed one of the run for want of memory below the ceiling; null where it does not see to
 * that. That the ceiling was reached says nothing: what was read from files and can be forgotten counts too.
 */
export function hasRunOutOfMemory(run: Run): boolean | null {
  const text = read(run, 'memory', 'memory.oom_control') ?? read(run, 'memory', 'memory.events');
  const kills = /^oom_kill (\d+)$/m.exec(text ?? '')?.[1];
  return kills === undefined ? null : kills !== '0';
}

/** Pids of whoever is below the ceiling, whatever became of its parents and its environment. */
export function belowCeiling(run: Run): number[] {
  const home = homes().find(({ controllers }) => controllers.includes('pids')) ?? homes()[0];
  const text = home && readIn(home, run, isThreaded(home) ? 'cgroup.threads' : 'cgroup.procs');
  return (text ?? '').split('\n').map(Number).filter(Boolean);
}

/** Once nobody is left below it. */
export function removeCeiling(run: Run): void {
  for (const home of homes()) removeFrom(home, run);
}

function removeFrom({ folder }: CgroupHome, run: Run): void {
  try {
    rmdirSync(join(folder, nameOf(run)));
  } catch {
    // There was none, or the dead are not buried yet: an empty one takes next to nothing.
  }
}

/** So long after its leader's end a run may still be tidied up by whoever started it, here or in another service. */
const TIDY_MS = 30_000;
/** Since when the leaders of ceilings are known to be gone. */
let leaderless = new Map<string, number>();

/**
 * Those of runs that are over: whose dead were not buried when they ended, or whose members nobody has ended since. The
 * latter are killed: whatever else they did, none of them left the cgroup, so all are the run's.
 */
export function removeOldCeilings(now = performance.now()): void {
  const names = new Set(homes().flatMap(({ folder }) => readdirSync(folder)));
  const stillLeaderless = new Map<string, number>();
  for (const name of names) {
    const [, pid, boot, ticks] = /^qralph-(\d+)-(\w+)-(\d+)$/.exec(name) ?? [];
    if (pid === undefined || boot === undefined || ticks === undefined) continue;
    const run = { pid: Number(pid), startTime: `${boot}:${ticks}` };
    if (isAlive(run.pid, run.startTime)) continue;
    const since = leaderless.get(name) ?? now;
    stillLeaderless.set(name, since);
    if (now - since >= TIDY_MS) killAll(belowCeiling(run));
    removeCeiling(run);
  }
  leaderless = stillLeaderless;
}

function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function read(run: Run, controller: string, file: string): string | undefined {
  const home = homes().find(({ controllers }) => controllers.includes(controller));
  return home && readIn(home, run, file);
}

function readIn({ folder }: CgroupHome, run: Run, file: string): string | undefined {
  try {
    return readFileSync(join(folder, nameOf(run), file), 'utf8');
  } catch {
    return undefined;
  }
}

const isThreaded = ({ version, controllers }: CgroupHome): boolean => version === 2 && !controllers.includes('memory');

const nameOf = ({ pid, startTime }: Run): string => `qralph-${String(pid)}-${startTime.replace(':', '-')}`;
