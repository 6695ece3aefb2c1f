import { chmod, lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeTree } from '../remove-tree.js';
import type { Checkout } from './checkout.js';

const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;

/**
 * Gives the owner back every right on what lies below: whoever worked there may have taken them. Follows no link, and
 * leaves files alone that have a second name: dependencies may be the user's own files, which are not ours to change.
 */
export async function giveRightsBack(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => null);
  if (!found?.isDirectory()) return;
  if ((found.mode & OWN_FOLDER) !== OWN_FOLDER) await chmod(folder, (found.mode & 0o777) | OWN_FOLDER);
  for (const item of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, item.name);
    if (item.isDirectory()) await giveRightsBack(path);
    else if (item.isFile()) {
      const { mode, nlink } = await lstat(path);
      if (nlink === 1 && (mode & OWN_FILE) !== OWN_FILE) await chmod(path, (mode & 0o777) | OWN_FILE);
    }
  }
}

/**
 * Takes repositories that were made inside the worktree for plain folders, by removing their `.git`: git would otherwise
 * remember a link in place of their files, and start programs that their configuration names.
 */
export async function flattenRepository(checkout: Checkout, folder: string): Promise<void> {
  await removeTree(join(checkout.folder, folder, '.git'));
}

/** The same in every folder that has files of the commit: there git itself does not notice them. */
export async function flattenTracked(checkout: Checkout, tracked: readonly string[]): Promise<void> {
  const folders = new Set<string>();
  for (const path of tracked) {
    for (let folder = dirname(path); folder !== '.' && !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  }
  for (const folder of folders) {
    const found = await lstat(join(checkout.folder, folder, '.git')).catch(() => null);
    if (found !== null) await flattenRepository(checkout, folder);
  }
}
