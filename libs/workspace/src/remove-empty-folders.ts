import { readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '#kernel';

/** Somebody else has put something there, or taken it away, or it cannot be looked into: then it is left as it is. */
const LEFT = ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'];

/** Takes folders away in which there is no file, however deep. Follows no link, and never deletes anything else. */
export async function removeEmptyFolders(root: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await removeIfEmpty(join(root, path));
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries) if (entry.isDirectory()) await removeIfEmpty(join(folder, entry.name));
    if (entries.every((entry) => entry.isDirectory())) await rmdir(folder);
  } catch (error) {
    if (!LEFT.includes(errorCode(error))) throw error;
  }
}
