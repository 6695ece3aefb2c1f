import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { kindOf } from '../plain-file.js';
import type { InstalledPlace } from './installed-place.js';

/**
 * Tools that end each installation by writing a record of their own. It is newer than the lock file in the checkout
 * unless that one was changed afterwards, by a switch to another branch for instance. A tool that writes both writes
 * the lock file in the same moment, hence the grace.
 */
const SAME_MOMENT_MS = 2_000;

export async function lacksMarkedInstall(place: InstalledPlace, record: string): Promise<string | null> {
  const mark = join(place.folder, record);
  if ((await kindOf(mark)) !== 'file') return `there is no ${record} in ${basename(place.folder)}`;
  const [installed, locked] = await Promise.all([lstat(mark), lstat(join(place.checkout, place.lockFile))]);
  const isNewer = installed.mtimeMs + SAME_MOMENT_MS >= locked.mtimeMs;
  return isNewer ? null : `${place.lockFile} changed after the last installation`;
}
