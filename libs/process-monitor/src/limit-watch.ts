import { setTimeout as delay } from 'node:timers/promises';
import type { CommandLimits } from './command-runner.js';
import { readOf } from './proc.js';
import type { ProcessRecord } from './process-registry.port.js';
import { readTable, type TableLine, treeOf } from './process-tree.js';

const LOOK_EVERY_MS = 100;
const LOOK_AT_LEAST_EVERY_MS = 1_000;
/** Looking takes no more than this part of the time, however many processes there are. */
const SHARE = 1 / 20;

type Exceeded = 'memory' | 'processes';

/** One look at the process table serves all runs that are watched. */
const watches = new Set<LimitWatch>();
let isLooking = false;

/** Watches the whole tree of a run until it is told to stop, and says once which limit it went past. */
export class LimitWatch {
  /** All that was ever found in the tree and may still be alive, by pid and start time. */
  readonly seen = new Map<number, string>();

  constructor(
    private readonly record: ProcessRecord,
    private readonly limits: CommandLimits,
    private readonly onExceeded: (limit: Exceeded) => void,
  ) {
    if (limits.memoryBytes === undefined && limits.processes === undefined) return;
    watches.add(this);
    if (!isLooking) void lookUntilNobodyAsks();
  }

  stop(): void {
    watches.delete(this);
  }

  look(table: Awaited<ReturnType<typeof readTable>>): void {
    const tree = treeOf(this.record, table, this.seen);
    this.seen.clear();
    for (const { pid, startTime } of tree) this.seen.set(pid, startTime);
    const exceeded = this.exceededBy(tree);
    if (!exceeded) return;
    this.stop();
    this.onExceeded(exceeded);
  }

  private exceededBy(tree: readonly TableLine[]): Exceeded | null {
    const { memoryBytes = Infinity, processes = Infinity } = this.limits;
    if (tree.length > processes) return 'processes';
    // Cheap and too high where processes share pages; only then the exact and dear figure is asked for.
    if (sum(tree, ({ rssBytes }) => rssBytes) <= memoryBytes) return null;
    return sum(tree, proportionalBytes) > memoryBytes ? 'memory' : null;
  }
}

async function lookUntilNobodyAsks(): Promise<void> {
  isLooking = true;
  while (watches.size > 0) {
    const startedAt = performance.now();
    // A table that cannot be read says nothing about anybody; the next look may.
    const table = await readTable().catch(() => null);
    if (table) for (const watch of [...watches]) watch.look(table);
    const tookMs = performance.now() - startedAt;
    const pauseMs = Math.min(Math.max(LOOK_EVERY_MS, tookMs / SHARE), LOOK_AT_LEAST_EVERY_MS);
    await delay(pauseMs, undefined, { ref: false });
  }
  isLooking = false;
}

/** What a process has in memory, pages that it shares counted in part. */
function proportionalBytes({ pid, rssBytes }: TableLine): number {
  try {
    const kib = /^Pss:\s+(\d+) kB$/m.exec(readOf(pid, 'smaps_rollup')?.toString('latin1') ?? '')?.[1];
    return kib === undefined ? 0 : Number(kib) * 1024;
  } catch {
    return rssBytes;
  }
}

const sum = (tree: readonly TableLine[], of: (line: TableLine) => number): number =>
  tree.reduce((total, line) => total + of(line), 0);
