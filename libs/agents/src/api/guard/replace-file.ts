import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { modeOf } from './read-bytes.js';
import { asked, type OpenFolder } from './rooted.js';

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const USUAL_MODE = 0o644;

/**
 * Puts a file in the place of whatever regular file has the name, all at once. It never writes into a file that is
 * there: that one may have another name outside of the worktree (a hard link), and a reader never sees half of it.
 * Returns whether it is a new one.
 */
export async function replaceFile(folder: OpenFolder, name: string, content: string): Promise<{ isNew: boolean }> {
  const path = folder.pathOf(name);
  const mode = await modeOf(folder, name);
  const draft = folder.at(`.qralph-write-${randomBytes(6).toString('hex')}`);
  const handle = await asked(path, () => open(draft, NEW, mode ?? USUAL_MODE));
  try {
    try {
      await handle.writeFile(content);
      if (mode !== null) await handle.chmod(mode);
    } finally {
      await handle.close();
    }
    await asked(path, () => rename(draft, folder.at(name)));
  } catch (error) {
    // What went wrong first is what counts; a draft that stays is gone with the next reset of the worktree.
    await unlink(draft).catch(() => undefined);
    throw error;
  }
  return { isNew: mode === null };
}
