import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CgroupHome, findCgroupHomes } from './cgroup-homes.js';
import { isAlive } from './proc.js';
import type { ProcessRecord } from './process-registry.port.js';

/** Programs have threads, which count too. */
const TASKS_PER_PROCESS = 2;
const LEAST_TASKS = 256;

/** How many tasks a run may have before the kernel refuses it another: room for a look to find too many processes. */
export const mostTasks = (processes: number): number => Math.max(LEAST_TASKS, processes * TASKS_PER_PROCESS);

type Run = Pick<ProcessRecord, 'pid' | 'startTime'>;

/** Undefined until they were looked for. */
let homes: readonly CgroupHome[] | undefined;

/**
 * What multiplies doubles within milliseconds: no watcher is in time, and the host runs out of pids. Users have a limit
 * of the kernel's own (RLIMIT_NPROC), root is exempt from it: its runs get a cgroup, below the service's own, that
 * counts their tasks, and in which all of them together weigh as much as one other program. Does nothing where the
 * machine has none to write to: a container should be given a limit from outside.
 */
export function putUnderCeiling(run: Run, processes: number): void {
  if (process.getuid?.() !== 0) return;
  homes ??= findCgroupHomes();
  try {
    for (const { folder, version, controllers } of homes) {
      const own = join(folder, nameOf(run));
      mkdirSync(own);
      // Threaded: the service itself may stay where it is, and whatever limits it limits its commands.
      if (version === 2) writeFileSync(join(own, 'cgroup.type'), 'threaded');
      if (version === 2) writeFileSync(join(folder, 'cgroup.subtree_control'), controllers.map((one) => `+${one}`).join(' ')); // prettier-ignore
      if (controllers.includes('pids')) writeFileSync(join(own, 'pids.max'), String(mostTasks(processes)));
      writeFileSync(join(own, 'cgroup.procs'), String(run.pid));
    }
  } catch (error) {
    removeCeiling(run);
    // One that is gone needs no ceiling; whatever else is wrong is so for all.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') homes = [];
  }
}

/** Whether the kernel has refused the run another task. */
export function hasHitCeiling(run: Run): boolean {
  const text = read(run, 'pids.events');
  return text !== undefined && !/^max 0$/m.test(text);
}

/** Pids of whoever is below the ceiling, whatever became of its parents and its environment. */
export function belowCeiling(run: Run): number[] {
  const isThreaded = homes?.[0]?.version === 2;
  return (read(run, isThreaded ? 'cgroup.threads' : 'cgroup.procs') ?? '').split('\n').map(Number).filter(Boolean); // prettier-ignore
}

/** Once nobody is left below it. */
export function removeCeiling(run: Run): void {
  if (process.getuid?.() !== 0) return;
  homes ??= findCgroupHomes();
  for (const { folder } of homes) {
    try {
      rmdirSync(join(folder, nameOf(run)));
    } catch {
      // There was none, or the dead are not buried yet: an empty one takes next to nothing.
    }
  }
}

/** Those of runs that are over, and whose dead were not buried when they ended. */
export function removeOldCeilings(): void {
  if (process.getuid?.() !== 0) return;
  homes ??= findCgroupHomes();
  const names = new Set(homes.flatMap(({ folder }) => readdirSync(folder)));
  for (const name of names) {
    const [, pid, boot, ticks] = /^qralph-(\d+)-(\w+)-(\d+)$/.exec(name) ?? [];
    if (pid === undefined || boot === undefined || ticks === undefined) continue;
    const run = { pid: Number(pid), startTime: `${boot}:${ticks}` };
    if (!isAlive(run.pid, run.startTime)) removeCeiling(run);
  }
}

function read(run: Run, file: string): string | undefined {
  const folder = homes?.find(({ controllers }) => controllers.includes('pids'))?.folder;
  if (folder === undefined) return undefined;
  try {
    return readFileSync(join(folder, nameOf(run), file), 'utf8');
  } catch {
    return undefined;
  }
}

const nameOf = ({ pid, startTime }: Run): string => `qralph-${String(pid)}-${startTime.replace(':', '-')}`;
