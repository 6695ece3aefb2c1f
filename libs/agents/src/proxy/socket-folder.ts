import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, startTimeOf } from '#process-monitor';
import { removeTree } from '#workspace';

const NAME = /^qralph-proxy-(\d+)-(?:([0-9a-f]{8}\.\d+)-)?/;

/**
 * A folder that only this user may enter, for sockets. It lies where paths are short: a socket's may not be longer
 * than a hundred characters. Those of processes that were killed are taken away.
 */
export async function newSocketFolder(parent: string = tmpdir()): Promise<string> {
  await sweepSocketFolders(parent);
  return mkdtemp(join(parent, `qralph-proxy-${ownMark()}-`));
}

export const sweepSocketFolders = (parent: string = tmpdir()): Promise<void> => sweepByPid(parent, NAME);

/** Names this process in the name of a folder: by its pid and its start, as a pid may be given to another one. */
export function ownMark(): string {
  return `${String(process.pid)}-${(startTimeOf(process.pid) ?? '').replace(':', '.')}`;
}

/**
 * Removes the folders of processes that are gone. The first group of `name` is the pid, the second one, where there
 * is one, the start as in `ownMark`; without it whoever has the pid now is taken for the owner.
 */
export async function sweepByPid(parent: string, name: RegExp): Promise<void> {
  for (const entry of await readdir(parent)) {
    const [, pid, start] = name.exec(entry) ?? [];
    if (pid === undefined || isOwned(Number(pid), start)) continue;
    try {
      await removeTree(join(parent, entry));
    } catch (error) {
      // Another user's, which is theirs to sweep.
      if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

function isOwned(pid: number, start: string | undefined): boolean {
  return start === undefined ? startTimeOf(pid) !== null : isAlive(pid, start.replace('.', ':'));
}
