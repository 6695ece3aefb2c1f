import { existsSync, realpathSync } from 'node:fs';
import { clusterFolder } from './cluster.js';
import { lockDataDir } from './data-dir-lock.js';
import { leftoverPostmaster, stopPostmaster } from './postmaster.js';

/** Ends the server that a killed process left behind in this folder; refuses while a live process holds it. */
export async function stopLeftoverPostgres(dataDir: string): Promise<void> {
  const lock = lockDataDir(dataDir);
  try {
    const folder = clusterFolder(dataDir);
    const leftover = existsSync(folder) ? leftoverPostmaster(realpathSync(folder)) : undefined;
    if (leftover) await stopPostmaster(leftover);
  } finally {
    lock.release();
  }
}
