import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { kindOf } from '../plain-file.js';
import { ROOT_FOLDERS } from './parts.js';

/**
 * Dependency folders of a worktree that hold files with a second name, which may be the user's own: for when nobody
 * remembers how they came to be there.
 */
export async function foldersWithHardLinks(worktree: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of ROOT_FOLDERS) {
    const folder = join(worktree, name);
    if ((await kindOf(folder)) === 'folder' && (await holdsHardLink(folder))) found.push(folder);
  }
  return found;
}

async function holdsHardLink(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const looked = await Promise.all(files.map(({ name }) => lstat(join(folder, name))));
  if (looked.some(({ nlink }) => nlink > 1)) return true;
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    if (await holdsHardLink(join(folder, name))) return true;
  }
  return false;
}
