import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandLimits } from './command.js';
import type { DiskWatch } from './disk-watch.js';
import { HeldMemory } from './held-memory.js';
import { readOf } from './proc.js';
import type { ProcessRecord } from './process-registry.port.js';
import { PidNamespace } from './pid-namespace.js';
import { readTable, type TableLine, treeOf } from './process-tree.js';
import { hasHitCeiling, hasRunOutOfMemory } from './task-ceiling.js';

/** How often the number of tasks on this host is asked for, which costs next to nothing. */
const GLANCE_EVERY_MS = 25;
/** How often every process is looked at, unless there are many more than at the last look. */
const LOOK_EVERY_MS = 200;
const LOOK_AT_LEAST_EVERY_MS = 1_000;
/** Looking takes no more than this part of a processor, however many processes there are. */
const SHARE = 1 / 20;
const SMALLEST_ALARM = 16;

type Exceeded = 'memory' | 'processes' | 'disk';

/** One look at the process table serves all runs that are watched. */
const watches = new Set<LimitWatch>();
let isLooking = false;

/** Watches the whole tree of a run until it is told to stop, and says once which limit it went past. */
export class LimitWatch {
  /** All that was ever found in the tree and may still be alive, by pid and start time. */
  readonly seen = new Map<number, string>();
  private readonly namespace: PidNamespace;
  private readonly held = new HeldMemory();
  private isAskingDisk = false;

  constructor(
    private readonly record: ProcessRecord,
    private readonly limits: CommandLimits,
    private readonly onExceeded: (limit: Exceeded) => void,
    private readonly disk: DiskWatch | null = null,
  ) {
    this.namespace = new PidNamespace(record.pid);
    if (limits.memoryBytes === undefined && limits.processes === undefined && disk === null) return;
    watches.add(this);
    if (!isLooking) void lookUntilNobodyAsks();
  }

  get mostProcesses(): number {
    return this.limits.processes ?? Infinity;
  }

  stop(): void {
    watches.delete(this);
  }

  /** What multiplies leaves little time for a look: where there is a cheap way to tell, it is enough. */
  glance(): void {
    const count = this.namespace.count();
    if (hasHitCeiling(this.record) || (count ?? 0) > this.mostProcesses) this.exceed('processes');
  }

  /** Nobody waits for the answer: a file system may be slow to give it. */
  askDisk(): void {
    if (this.disk === null || this.isAskingDisk) return;
    this.isAskingDisk = true;
    void this.disk.isPastLimit().then((isPast) => {
      this.isAskingDisk = false;
      if (isPast && watches.has(this)) this.exceed('disk');
    });
  }

  look(table: Awaited<ReturnType<typeof readTable>>): void {
    const tree = treeOf(this.record, table, this.seen);
    this.seen.clear();
    for (const { pid, startTime } of tree) this.seen.set(pid, startTime);
    const exceeded = this.exceededBy(tree);
    if (exceeded) this.exceed(exceeded);
  }

  private exceed(limit: Exceeded): void {
    this.stop();
    this.onExceeded(limit);
  }

  private exceededBy(tree: readonly TableLine[]): Exceeded | null {
    const { memoryBytes = Infinity, processes = Infinity } = this.limits;
    if (tree.length > processes) return 'processes';
    if (memoryBytes === Infinity) return null;
    const outOfMemory = hasRunOutOfMemory(this.record);
    if (outOfMemory) return 'memory';
    // Where the kernel counts, what is held in files is its business.
    const held = outOfMemory === null ? this.held.bytesOf(tree.map(({ pid }) => pid)) : 0;
    // Cheap and too high where processes share pages; only then the exact and dear figure is asked for.
    if (sum(tree, ({ rssBytes }) => rssBytes) + held <= memoryBytes) return null;
    return exactBytes(tree, held) > memoryBytes ? 'memory' : null;
  }
}

/** What multiplies does so within milliseconds: a sudden growth is looked into at once. */
async function lookUntilNobodyAsks(): Promise<void> {
  isLooking = true;
  let [tasks, lookAt] = [tasksOnHost(0), 0];
  while (watches.size > 0) {
    for (const watch of watches) watch.askDisk();
    const alarm = Math.max(SMALLEST_ALARM, Math.min(...[...watches].map((watch) => watch.mostProcesses)) / 4);
    const isAlarmed = tasksOnHost(tasks) - tasks > alarm;
    if (isAlarmed) for (const watch of [...watches]) watch.glance();
    if (watches.size > 0 && (isAlarmed || performance.now() >= lookAt)) {
      const before = process.cpuUsage();
      // A table that cannot be read says nothing about anybody; the next look may.
      const table = await readTable().catch(() => null);
      tasks = tasksOnHost(tasks);
      if (table) for (const watch of [...watches]) watch.look(table);
      const { user, system } = process.cpuUsage(before);
      const pauseMs = (user + system) / 1_000 / SHARE;
      lookAt = performance.now() + Math.min(Math.max(LOOK_EVERY_MS, pauseMs), LOOK_AT_LEAST_EVERY_MS);
    }
    await delay(GLANCE_EVERY_MS, undefined, { ref: false });
  }
  isLooking = false;
}

/** The last figure where it cannot be read (no file handle left, say): that is no alarm, and no reason to stop looking. */
function tasksOnHost(last: number): number {
  try {
    return Number(/\/(\d+)/.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1] ?? last);
  } catch {
    return last;
  }
}

/** Files that are held may be mapped too: as much of them as is mapped counts once. */
function exactBytes(tree: readonly TableLine[], held: number): number {
  const parts = tree.map(proportionalBytes);
  return (
    sum(parts, ({ all, ofFiles }) => all - ofFiles) +
    Math.max(
      sum(parts, ({ ofFiles }) => ofFiles),
      held,
    )
  );
}

/** What a process has in memory, pages that it shares counted in part; and how much of it lies in files in memory. */
function proportionalBytes({ pid, rssBytes }: TableLine): { all: number; ofFiles: number } {
  try {
    const text = readOf(pid, 'smaps_rollup')?.toString('latin1') ?? '';
    const bytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1024;
    return { all: bytes('Pss'), ofFiles: bytes('Pss_Shmem') };
  } catch {
    return { all: rssBytes, ofFiles: 0 };
  }
}

const sum = <T>(parts: readonly T[], of: (part: T) => number): number =>
  parts.reduce((total, part) => total + of(part), 0);
