import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^qralph-proxy-(\d+)-/;

/**
 * A folder that only this user may enter, for sockets. It lies where paths are short: a socket's may not be longer
 * than a hundred characters. Those of processes that were killed are taken away.
 */
export async function newSocketFolder(parent: string = tmpdir()): Promise<string> {
  await sweepByPid(parent, NAME);
  return mkdtemp(join(parent, `qralph-proxy-${String(process.pid)}-`));
}

/** Removes the folders whose names carry the pid of a process that is gone. */
export async function sweepByPid(parent: string, name: RegExp): Promise<void> {
  for (const entry of await readdir(parent)) {
    const pid = Number(name.exec(entry)?.[1] ?? process.pid);
    if (pid === process.pid || isAlive(pid)) continue;
    try {
      await rm(join(parent, entry), { recursive: true, force: true });
    } catch (error) {
      // Another user's, which is theirs to sweep.
      if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
