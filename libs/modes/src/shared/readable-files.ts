import type { EffectRun } from '#engine';
import { errorCode, errorMessage } from '#kernel';

/** Of a checkout that is gone or may not be written to, for good, or has a link there; and of a page that nobody would read. */
const NO_PLACE = [
  'REPO_NOT_FOUND', 'REPO_NOT_GIT', 'REPO_BROKEN', 'EACCES', 'EPERM', 'EROFS', 'ARTEFACT_TOO_LARGE', 'ARTEFACT_PATH_UNSAFE',
]; // prettier-ignore

/**
 * Readable files are the face of what the database knows: a checkout that does not take them keeps no project from its
 * end, and its history says so.
 */
export async function whereItCan(run: EffectRun, write: () => Promise<void>): Promise<null> {
  try {
    await write();
  } catch (error) {
    const code = errorCode(error);
    if (!NO_PLACE.includes(code)) throw error;
    run.tell('artefacts.unwritten', { code, message: errorMessage(error) });
  }
  return null;
}
