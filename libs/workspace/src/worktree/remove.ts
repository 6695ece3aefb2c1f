import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '#kernel';
import { removeTree } from '../remove-tree.js';

/** What of a checkout lies in our own folders. */
export interface Remains {
  readonly folder: string;
  readonly readyMark: string;
  readonly keptList: string;
  readonly hidden: string;
}

/** Every step can be done again, and the folder is out of the way before its files go: none is found half-empty. */
export async function removeRemains({ folder, readyMark, keptList, hidden }: Remains): Promise<void> {
  await rm(readyMark, { force: true });
  const trash = join(dirname(folder), '.trash');
  await mkdir(trash, { recursive: true, mode: 0o700 });
  const name = basename(folder);
  await unlessMissing(rename(folder, join(trash, `${name}.${randomUUID()}`)));
  await rm(keptList, { force: true });
  await removeTree(hidden);
  const leftovers = (await readdir(trash)).filter((one) => one.startsWith(`${name}.`));
  for (const one of leftovers) await removeTree(join(trash, one));
}

/** What git keeps of a checkout in its repository; the last one takes the folder along, as git does. */
export async function removeEntry(entry: string): Promise<void> {
  await removeTree(entry);
  await unlessMissing(rmdir(dirname(entry)));
}

const FINE = ['ENOENT', 'ENOTEMPTY', 'EEXIST'];

async function unlessMissing(done: Promise<void>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (!FINE.includes(errorCode(error))) throw error;
  }
}
