import { readdirSync, readFileSync } from 'node:fs';

/** A process's line in the kernel's table. */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly startTime: string;
  readonly group: number;
  /** Resident; pages that it shares with others count for each of them. */
  readonly rssBytes: number;
}

let boot: string | undefined;

/** Names this boot of the machine: ticks and pids of another boot say nothing about the processes of this one. */
function bootId(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
  return boot;
}

/** Null when there is no such process, or only its zombie. Throws when that cannot be told. */
export function statOf(pid: number): ProcessStat | null {
  const stat = readOf(pid, 'stat')?.toString('utf8');
  if (stat === undefined) return null;
  // The command's name stands in parentheses and may itself contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  const ticks = fields[19];
  if (state === 'Z' || state === 'X' || ticks === undefined) return null;
  const rssBytes = Number(fields[21]) * pageBytes();
  return { pid, parent: Number(parent), startTime: `${bootId()}:${ticks}`, group: Number(group), rssBytes };
}

const AT_PAGESZ = 6n;
let page: number | undefined;

/** Told to every process by the kernel, in pairs of words. */
function pageBytes(): number {
  if (page !== undefined) return page;
  const words = new BigUint64Array(new Uint8Array(readFileSync('/proc/self/auxv')).buffer);
  const at = words.findIndex((word, nth) => nth % 2 === 0 && word === AT_PAGESZ);
  return (page = Number(words[at + 1] ?? 4096n));
}

/**
 * A process is named by its pid and its start time (boot, and clock ticks since then): a pid alone may have been given
 * to somebody else. Null when there is no such process, or only its zombie.
 */
export const startTimeOf = (pid: number): string | null => statOf(pid)?.startTime ?? null;

export const isAlive = (pid: number, startTime: string): boolean =>
  isOfThisBoot(startTime) && startTimeOf(pid) === startTime;

export const isOfThisBoot = (startTime: string): boolean => startTime.startsWith(`${bootId()}:`);

/** Pids of all processes that this one can see, zombies among them. */
export const allPids = (): number[] => readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));

/** A file of a process in /proc; undefined when the process is gone. */
export function readOf(pid: number, file: 'stat' | 'environ' | 'cmdline' | 'smaps_rollup'): Buffer | undefined {
  try {
    return readFileSync(`/proc/${String(pid)}/${file}`);
  } catch (error) {
    // Whatever else is wrong (no file handle left, say) is no news of the process.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
