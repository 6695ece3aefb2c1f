import { setImmediate as turn } from 'node:timers/promises';
import { together } from '#kernel';
import { allPids, type ProcessStat, readOf, statOf } from './proc.js';
import type { ProcessRecord } from './process-registry.port.js';

/**
 * The environment of a command, and of all that descends from it, carries this mark: what left the process group
 * (setsid, a double fork) is found by it. A process that clears its environment on purpose is not.
 */
export const RUN_MARK = 'QRALPH_RUN';

/** Follows from the record, so that whoever reads the registry can look for the mark. */
export const markOf = ({ pid, startTime }: Pick<ProcessRecord, 'pid' | 'startTime'>): string =>
  `${startTime}:${String(pid)}`;

/** The mark that an environment carries. */
export function markIn(environment: string): string | null {
  const name = `\0${RUN_MARK}=`;
  const text = `\0${environment}`;
  const at = text.indexOf(name);
  if (at < 0) return null;
  const end = text.indexOf('\0', at + name.length);
  return text.slice(at + name.length, end < 0 ? undefined : end);
}

/** So many processes are looked at before others get their turn on the event loop. */
const SLICE = 64;
const MAX_LOOKS = 5;

/** Processes that showed no environment in the last look: kernel threads, zombies, and for a moment one that execs. */
let blanks: ReadonlySet<number> = new Set();

/** All live processes with the mark of this run. */
export async function markedBy(record: Pick<ProcessRecord, 'pid' | 'startTime'>): Promise<ProcessStat[]> {
  const mark = markOf(record);
  for (let looks = 1; ; looks += 1) {
    const { marked, isConclusive } = await look();
    const found = marked.get(mark) ?? [];
    if (found.length > 0 || isConclusive || looks === MAX_LOOKS) return found;
  }
}

/**
 * The list of pids is older than the look at each: a listed process may have forked an unlisted one and ended. So a
 * look that met a process newly without an environment proves nothing.
 */
const look = together(async (): Promise<{ marked: ReadonlyMap<string, ProcessStat[]>; isConclusive: boolean }> => {
  const marked = new Map<string, ProcessStat[]>();
  const blankNow = new Set<number>();
  let isConclusive = true;
  for (const [at, pid] of allPids().entries()) {
    if (at % SLICE === SLICE - 1) await turn();
    const environment = environmentOf(pid);
    if (environment === '') {
      blankNow.add(pid);
      isConclusive &&= blanks.has(pid);
    }
    const mark = markIn(environment);
    const stat = mark === null || pid === process.pid ? null : statOf(pid);
    if (mark === null || stat === null) continue;
    const others = marked.get(mark);
    if (others) others.push(stat);
    else marked.set(mark, [stat]);
  }
  blanks = blankNow;
  return { marked, isConclusive };
});

/** Empty when it has none, or none at this moment. */
export function environmentOf(pid: number): string {
  try {
    return readOf(pid, 'environ')?.toString('latin1') ?? '';
  } catch (error) {
    // Another user's: no command of ours.
    if (['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return 'unreadable';
    throw error;
  }
}
