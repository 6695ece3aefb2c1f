import { readdirSync, readFileSync } from 'node:fs';
import { type Clock, systemClock } from '#kernel';
import { isAlive } from './proc.js';
import type { ProcessRecord } from './process-registry.port.js';

const GRACE_MS = 5_000;
const LOOK_EVERY_MS = 50;

/** Ends a whole process group: SIGTERM, a grace period, SIGKILL. A group that has been reused is never signalled. */
export async function endGroup(record: ProcessRecord, graceMs = GRACE_MS, clock: Clock = systemClock): Promise<void> {
  if (!isAlive(record.pid, record.startTime) && membersOf(record.group).length === 0) return;
  signalGroup(record, 'SIGTERM');
  const until = clock.now() + graceMs;
  while (clock.now() < until && membersOf(record.group).length > 0) await clock.sleep(LOOK_EVERY_MS);
  signalGroup(record, 'SIGKILL');
}

function signalGroup(record: ProcessRecord, signal: 'SIGTERM' | 'SIGKILL'): void {
  // While the leader lives its pid cannot name another group; when it is gone only members that are left keep the group.
  const isLeaderGone = !isAlive(record.pid, record.startTime);
  const members = membersOf(record.group);
  if (members.length === 0 || (isLeaderGone && members.includes(record.group))) return;
  try {
    process.kill(-record.group, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Pids of the live members of a process group. */
export function membersOf(group: number): number[] {
  const members: number[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(fields[2]) === group && fields[0] !== 'Z' && fields[0] !== 'X') members.push(Number(entry));
    } catch {
      // It ended while we looked.
    }
  }
  return members;
}
