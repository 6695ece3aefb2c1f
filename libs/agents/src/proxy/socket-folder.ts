import { tmpdir } from 'node:os';
import { newMarkedFolder, sweepLeftFolders } from '#workspace';

const PREFIX = 'qralph-proxy-';

/**
 * A folder that only this user may enter, for sockets. It lies where paths are short: a socket's may not be longer
 * than a hundred characters. Those of processes that were killed are taken away.
 */
export async function newSocketFolder(parent: string = tmpdir()): Promise<string> {
  await sweepSocketFolders(parent);
  return newMarkedFolder(parent, PREFIX);
}

export const sweepSocketFolders = (parent: string = tmpdir()): Promise<void> => sweepLeftFolders(parent, PREFIX);
