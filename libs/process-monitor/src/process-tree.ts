import { setImmediate as turn } from 'node:timers/promises';
import { allPids, isAlive, type ProcessStat, readOf, statOf } from './proc.js';
import type { ProcessRecord } from './process-registry.port.js';
import { environmentOf, markIn, markOf } from './run-mark.js';

/** So many processes are looked at before others get their turn on the event loop. */
const SLICE = 64;

/** A live process, with the mark of the run that it belongs to, if any. */
export interface TableLine extends ProcessStat {
  readonly mark: string | null;
}

export type ProcessTable = ReadonlyMap<number, TableLine>;

/** Marks that were read before: a process inherits its mark or gets it at its birth, and is asked once. */
let marks = new Map<string, string | null>();
let reading: Promise<ProcessTable> | null = null;

/** All live processes of this host. Whoever asks meanwhile gets the same answer. */
export function readTable(): Promise<ProcessTable> {
  reading ??= read().finally(() => (reading = null));
  return reading;
}

async function read(): Promise<ProcessTable> {
  const table = new Map<number, TableLine>();
  const known = new Map<string, string | null>();
  for (const [at, pid] of allPids().entries()) {
    if (at % SLICE === SLICE - 1) await turn();
    const stat = statOf(pid);
    if (!stat) continue;
    const name = `${String(pid)}@${stat.startTime}`;
    const mark = marks.has(name) ? marks.get(name) : markOfNew(stat);
    if (mark !== undefined) known.set(name, mark);
    table.set(pid, { ...stat, mark: mark ?? null });
  }
  marks = known;
  return table;
}

/** Undefined when it has no environment to look at: a kernel thread, or one that is just becoming another program. */
function markOfNew({ pid, rssBytes }: ProcessStat): string | null | undefined {
  const environment = rssBytes === 0 ? '' : environmentOf(pid);
  return environment === '' ? undefined : markIn(environment);
}

/** Which processes make up a run: its leader, its group, whoever carries its mark, and all that descend from these. */
export function treeOf(
  record: Pick<ProcessRecord, 'pid' | 'startTime' | 'group'>,
  table: ProcessTable,
  seen: ReadonlyMap<number, string> = new Map(),
): TableLine[] {
  const mark = markOf(record);
  const leader = table.get(record.pid);
  const lines = [...table.values()];
  const isOfRun = (line: TableLine): boolean => line.mark === mark || seen.get(line.pid) === line.startTime;
  const isMember = (line: TableLine): boolean => line.group === record.group;
  // A number that has gone to somebody else names neither the leader nor the group. Without a leader it may have:
  // then the group is known by a member that is of the run in any case.
  const hasGroup = leader ? leader.startTime === record.startTime : lines.some((line) => isMember(line) && isOfRun(line)); // prettier-ignore
  const children = childrenIn(table);
  const found = new Map<number, TableLine>();
  const open = lines.filter((line) => isOfRun(line) || (hasGroup && isMember(line)));
  for (let line = open.pop(); line; line = open.pop()) {
    if (found.has(line.pid) || line.pid === process.pid) continue;
    found.set(line.pid, line);
    open.push(...(children.get(line.pid) ?? []));
  }
  return [...found.values()];
}

function childrenIn(table: ProcessTable): Map<number, TableLine[]> {
  const children = new Map<number, TableLine[]>();
  for (const line of table.values()) {
    const siblings = children.get(line.parent);
    if (siblings) siblings.push(line);
    else children.set(line.parent, [line]);
  }
  return children;
}

/** What a process is called with, one argument after the other; empty when it is gone or hides it. */
export function commandLineOf({ pid, startTime }: Pick<ProcessStat, 'pid' | 'startTime'>): string {
  try {
    const line = readOf(pid, 'cmdline')?.toString('utf8').replace(/\0+$/, '').replaceAll('\0', ' ') ?? '';
    return isAlive(pid, startTime) ? line : '';
  } catch {
    return '';
  }
}
