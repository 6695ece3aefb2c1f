import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '#kernel';
import { removeTree } from '../remove-tree.js';

/** Enough of a checkout to take it away, also where its repository is gone. */
export interface Remains {
  readonly folder: string;
  readonly readyMark: string;
  readonly keptList: string;
  readonly entry: string | null;
}

/** Every step can be done again, and the folder is out of the way before its files go: none is found half-empty. */
export async function removeRemains({ folder, readyMark, keptList, entry }: Remains): Promise<void> {
  await rm(readyMark, { force: true });
  const trash = join(dirname(folder), '.trash');
  await mkdir(trash, { recursive: true, mode: 0o700 });
  const name = basename(folder);
  await unlessMissing(rename(folder, join(trash, `${name}.${randomUUID()}`)));
  await rm(keptList, { force: true });
  if (entry !== null) {
    await removeTree(entry);
    // As git does: the last one takes the folder along.
    await unlessMissing(rmdir(dirname(entry)));
  }
  const leftovers = (await readdir(trash)).filter((one) => one.startsWith(`${name}.`));
  for (const one of leftovers) await removeTree(join(trash, one));
}

const FINE = ['ENOENT', 'ENOTEMPTY', 'EEXIST'];

async function unlessMissing(done: Promise<void>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (!FINE.includes(errorCode(error))) throw error;
  }
}
