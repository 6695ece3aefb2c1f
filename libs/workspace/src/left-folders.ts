import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '#kernel';
import { isAlive, startTimeOf } from '#process-monitor';
import { removeTree } from './remove-tree.js';

/** The process that made a folder, by its pid and its start: a pid may be given to another one. */
const MARK = /^(\d+)-([0-9a-f]{8})\.(\d+)-/;

/** A folder of this process's own, with a name by which others see whether it is left over. */
export function newMarkedFolder(parent: string, prefix: string): Promise<string> {
  const start = (startTimeOf(process.pid) ?? '').replace(':', '.');
  return mkdtemp(join(parent, `${prefix}${String(process.pid)}-${start}-`));
}

/** Takes away what processes that are gone have left. */
export async function sweepLeftFolders(parent: string, prefix: string): Promise<void> {
  for (const name of (await readdir(parent)).filter((one) => one.startsWith(prefix))) {
    const [, pid, boot = '', ticks = ''] = MARK.exec(name.slice(prefix.length)) ?? [];
    if (!isAlive(Number(pid), `${boot}:${ticks}`)) await removeUnlessAnothers(join(parent, name));
  }
}

/** In a folder that users share, each sweeps what is theirs. */
async function removeUnlessAnothers(folder: string): Promise<void> {
  try {
    await removeTree(folder);
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(errorCode(error))) throw error;
  }
}
