import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A pid alone may be reused; with the start time it names one process of this boot. */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks since boot, from /proc. */
  startTime: string;
}

const hasProc = process.platform === 'linux';

/** The live process with this pid. A zombie is not alive: it only waits to be buried. */
export function liveProcess(pid: number): ProcessIdentity | undefined {
  if (!hasProc) return answersSignals(pid) ? { pid, startTime: 'unknown' } : undefined;
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The command in parentheses may hold spaces and parentheses itself.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTime] = [fields?.[0], fields?.[19]];
  if (!state || !startTime || state === 'Z' || state === 'X') return undefined;
  return { pid, startTime };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return liveProcess(identity.pid)?.startTime === identity.startTime;
}

/** Start times count from boot: after another boot they mean nothing. */
export function bootId(): string {
  return attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? 'unknown';
}

/** Whether this process is a Postgres server, or one of its helpers, of that folder. */
export function isPostgresOf(pid: number, clusterFolder: string): boolean {
  if (!liveProcess(pid)) return false;
  if (!hasProc) return true;
  const executable = attempt(() => readlinkSync(`/proc/${pid}/exe`)) ?? '';
  const folder = attempt(() => readlinkSync(`/proc/${pid}/cwd`));
  return /\/postgres( \(deleted\))?$/.test(executable) && folder === clusterFolder;
}

export function postgresProcessesOf(clusterFolder: string): ProcessIdentity[] {
  if (!hasProc) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isPostgresOf(Number(name), clusterFolder))
    .flatMap((name) => liveProcess(Number(name)) ?? []);
}

/** Sends a signal unless the process has gone or its pid is another's now. */
export function signal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  if (isAlive(identity)) attempt(() => process.kill(identity.pid, name));
}

function answersSignals(pid: number): boolean {
  return attempt(() => process.kill(pid, 0)) === true;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
