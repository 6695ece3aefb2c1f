import { type Clock, systemClock, WorldError } from '#kernel';
import { OwnGroup } from './own-group.js';
import { isAlive, isOfThisBoot, startTimeOf, statOf } from './proc.js';
import type { ProcessRecord } from './process-registry.port.js';
import { readTable, treeOf } from './process-tree.js';
import { markedBy } from './run-mark.js';
import { belowCeiling } from './task-ceiling.js';

/** Time to tidy up between SIGTERM and SIGKILL. Whoever waits for an interrupted command waits longer than this. */
export const GRACE_MS = 5_000;
const LOOK_EVERY_MS = 50;
const CHASE_EVERY_MS = 5;
/** SIGKILL works at once, unless the process hangs inside the kernel. */
const KILL_MS = 1_000;
/** Where nothing is asked first it is for good reason: what multiplies may take a while to be caught. */
const CHASE_MS = 10_000;

export interface Ending {
  /** Processes that were seen in the tree before, by pid and start time: their parents may be gone since. */
  readonly seen?: Map<number, string>;
  /** The leader is a child of this process, or was until now: before it was buried here, nobody could get its number. */
  readonly isOwnChild?: boolean;
  readonly clock?: Clock;
  /** Told how many still run when the grace is over, and are killed. */
  readonly onKill?: (processes: number) => void;
}

/**
 * Ends a whole process tree: the group, what carries the mark of its run, and all that descends from these; SIGTERM, a
 * grace period, SIGKILL. With no grace the group is killed before anything is looked at: a leader that keeps a pid
 * namespace takes all that is in it along. A group or a pid that has been reused is never signalled, and nothing at all
 * for a record of another boot.
 */
export async function endGroup(
  record: ProcessRecord,
  graceMs = GRACE_MS,
  { seen = new Map<number, string>(), isOwnChild = false, clock = systemClock, onKill }: Ending = {},
): Promise<void> {
  if (!isOfThisBoot(record.startTime)) return;
  const killAt = clock.now() + graceMs;
  const giveUpAt = killAt + (graceMs > 0 ? KILL_MS : CHASE_MS);
  const asked = new Set<number>();
  let isKilling = false;
  const group = new OwnGroup(record, { isKnown: isOwnChild });
  for (;;) {
    const isTime = clock.now() >= killAt;
    if (isTime && !isKilling) onKill?.([...seen].filter(([pid, startTime]) => isAlive(pid, startTime)).length);
    isKilling = isTime;
    if (isTime && group.isAlive(seen)) send(-record.group, 'SIGKILL');
    const outside = await outsideOfGroup(record, group, seen);
    const hasGroup = group.isAlive(seen);
    if (!hasGroup && outside.length === 0) return;
    if (clock.now() >= giveUpAt) {
      throw new WorldError('PROCESS_STILL_RUNS', `${record.purpose} (group ${String(record.group)}) cannot be ended`);
    }
    for (const target of [...(hasGroup ? [-record.group] : []), ...outside]) {
      // A second SIGTERM would tell some programs to skip their tidying up.
      if (isTime) send(target, 'SIGKILL');
      else if (!asked.has(target)) send(target, 'SIGTERM');
      asked.add(target);
    }
    await clock.sleep(isTime ? CHASE_EVERY_MS : LOOK_EVERY_MS);
  }
}

/** Pids of the tree's live processes that the group's signal does not reach. */
async function outsideOfGroup(record: ProcessRecord, group: OwnGroup, seen: Map<number, string>): Promise<number[]> {
  const marked = await markedBy(record);
  for (const { pid, startTime } of marked) seen.set(pid, startTime);
  for (const pid of belowCeiling(record)) seen.set(pid, startTimeOf(pid) ?? '');
  for (const { pid, startTime } of group.leaderless(seen)) seen.set(pid, startTime);
  for (const [pid, startTime] of seen) if (!isAlive(pid, startTime)) seen.delete(pid);
  if (seen.size > 0 || group.isAlive(seen)) {
    for (const { pid, startTime } of treeOf(record, await readTable(), seen)) seen.set(pid, startTime);
  }
  return [...seen].flatMap(([pid, startTime]) => {
    const stat = statOf(pid);
    return stat?.startTime === startTime && stat.group !== record.group ? pid : [];
  });
}

function send(target: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    // Gone, or not to be ended by us: then the others still are, and the next look tells which.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
