import { readFileSync } from 'node:fs';

/**
 * A process is named by its pid and its start time (clock ticks since boot): a pid alone may have been given to
 * somebody else. Null when there is no such process, or only its zombie.
 */
export function startTimeOf(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The command's name stands in parentheses and may itself contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  return state === 'Z' || state === 'X' ? null : (fields[19] ?? null);
}

export const isAlive = (pid: number, startTime: string): boolean => startTimeOf(pid) === startTime;
