import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '#kernel';

const OWN = 0o700;
/** Others may have put something in while it was being emptied. */
const REMOVAL = { recursive: true, force: true, maxRetries: 3 } as const;

/**
 * Takes away a file, or a folder with all that is in it; nothing there is fine. The one way to do so, because commands
 * leave folders that even their owner may not change or enter: Go's module cache is made of such. Follows no link, and
 * leaves the rights of files alone, for one may be the user's own under a second name.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, REMOVAL);
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(errorCode(error))) throw error;
    await openFolders(path);
    await rm(path, REMOVAL);
  }
}

async function openFolders(path: string): Promise<void> {
  const found = await unlessGone(lstat(path));
  if (!found?.isDirectory()) return;
  if ((found.mode & OWN) !== OWN) await unlessGone(chmod(path, OWN));
  const entries = (await unlessGone(readdir(path, { withFileTypes: true }))) ?? [];
  for (const entry of entries) if (entry.isDirectory()) await openFolders(join(path, entry.name));
}

/** A removal that failed at one folder still goes on in others for a moment. */
async function unlessGone<T>(done: Promise<T>): Promise<T | null> {
  try {
    return await done;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
