import { readFileSync } from 'node:fs';
import { processesBelow } from '../harness/processes.js';

/** Of Linux on every machine that Node runs on. */
const TICKS_PER_SECOND = 100;

/** CPU seconds that a process has used so far, with all that runs below it and all that has ended there. */
export function cpuSeconds(pid: number): number {
  const pids = [pid, ...processesBelow(pid).map((one) => one.pid)];
  return pids.reduce((sum, one) => sum + ticksOf(one), 0) / TICKS_PER_SECOND;
}

/** Its own and those of the children that it has waited for. */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    // It has ended since: then its parent has its time.
    return 0;
  }
}
