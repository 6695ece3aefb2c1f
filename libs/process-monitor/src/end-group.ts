import { type Clock, systemClock, WorldError } from '#kernel';
import { allPids, isAlive, isOfThisBoot, statOf } from './proc.js';
import type { ProcessRecord } from './process-registry.port.js';
import { markedBy } from './run-mark.js';

/** Shorter than the time that an interrupted activity is waited for, so that its command is gone by then. */
const GRACE_MS = 3_000;
const LOOK_EVERY_MS = 50;
/** SIGKILL works at once, unless the process hangs inside the kernel. */
const KILL_MS = 1_000;

/**
 * Ends a whole process group, and what the command started outside of it: SIGTERM, a grace period, SIGKILL.
 * A group or a pid that has been reused is never signalled, and nothing at all for a record of another boot.
 */
export async function endGroup(record: ProcessRecord, graceMs = GRACE_MS, clock: Clock = systemClock): Promise<void> {
  if (!isOfThisBoot(record.startTime)) return;
  const killAt = clock.now() + graceMs;
  const asked = new Set<number>();
  for (;;) {
    const marked = await markedBy(record);
    const hasGroup = isGroupAlive(record);
    if (!hasGroup && marked.length === 0) return;
    const now = clock.now();
    if (now >= killAt + KILL_MS) {
      throw new WorldError('PROCESS_STILL_RUNS', `${record.purpose} (group ${String(record.group)}) cannot be ended`);
    }
    const escaped = marked.filter(({ group, pid, startTime }) => group !== record.group && isAlive(pid, startTime));
    for (const target of [...(hasGroup ? [-record.group] : []), ...escaped.map(({ pid }) => pid)]) {
      // A second SIGTERM would tell some programs to skip their tidying up.
      if (now >= killAt) send(target, 'SIGKILL');
      else if (!asked.has(target)) send(target, 'SIGTERM');
      asked.add(target);
    }
    await clock.sleep(LOOK_EVERY_MS);
  }
}

/** Whether the record's own group has a live member. */
export function isGroupAlive({ pid, startTime, group }: ProcessRecord): boolean {
  // While the leader lives its pid cannot name another group.
  if (isAlive(pid, startTime)) return true;
  if (!isOfThisBoot(startTime) || !hasMembers(group)) return false;
  // The leader is gone: only members that are left keep the group, unless its number has gone to a new leader.
  const members = membersOf(group);
  return members.length > 0 && !members.includes(group);
}

/** Cheap; zombies count. */
function hasMembers(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function send(target: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    // Gone, or not to be ended by us: then the others still are, and the next look tells which.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Pids of the live members of a process group. */
export const membersOf = (group: number): number[] => allPids().filter((pid) => statOf(pid)?.group === group);
