import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../remove-tree.js';
import { kindOf } from '../setup/plain-file.js';

/** Removes everything below a folder but the kept paths, which are relative to the root as the folder is. */
export async function removeOthers(root: string, folder: string, kept: readonly string[]): Promise<void> {
  if ((await kindOf(join(root, folder))) !== 'folder') return removeTree(join(root, folder));
  for (const name of await readdir(join(root, folder))) {
    const path = `${folder}/${name}`;
    if (kept.includes(path)) continue;
    if (kept.some((one) => one.startsWith(`${path}/`))) await removeOthers(root, path, kept);
    else await removeTree(join(root, path));
  }
}
