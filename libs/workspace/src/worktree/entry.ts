import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../remove-tree.js';
import { type Checkout, IGNORES_FILE } from './checkout.js';

/**
 * Git's own entry for the worktree in the repository, and the file in the folder that points back. Written by hand
 * because every part can be written again: a half-made one is simply made whole. The format is in gitrepository-layout.
 */
export async function writeEntry(checkout: Checkout, branch: string, ignores: readonly string[] | null): Promise<void> {
  const { entry } = checkout;
  await mkdir(entry, { recursive: true });
  // Keeps a git worktree prune of the user's from taking an entry whose folder is not there yet.
  const lock = join(entry, 'locked');
  await writeFile(lock, 'being made\n');
  for (const [name, text] of Object.entries(entryFiles(checkout, branch))) await replace(join(entry, name), text);
  if (ignores !== null) await replace(join(entry, IGNORES_FILE), ignores.map((name) => `${name}/\n`).join(''));
  await pointBack(checkout);
  await rm(lock, { force: true });
}

/** The same for a checkout of one commit, without a branch. */
export async function writeDetachedEntry(checkout: Checkout, commit: string): Promise<void> {
  const { entry, folder } = checkout;
  await mkdir(entry, { recursive: true });
  const files = { ...entryFiles({ folder }, ''), HEAD: `${commit}\n` };
  for (const [name, text] of Object.entries(files)) {
    const file = join(entry, name);
    if ((await readFile(file, 'utf8').catch(() => null)) !== text) await replace(file, text);
  }
  await pointBack(checkout);
}

export const entryFiles = ({ folder }: Pick<Checkout, 'folder'>, branch: string): Readonly<Record<string, string>> => ({
  commondir: '../..\n',
  gitdir: `${join(folder, '.git')}\n`,
  HEAD: `ref: refs/heads/${branch}\n`,
});

export const pointerTo = (entry: string): string => `gitdir: ${entry}\n`;

/** The folder and its `.git` file as they must be, whatever somebody has put in their place. */
export async function pointBack({ folder, entry }: Checkout): Promise<void> {
  const found = await lstat(folder).catch(() => null);
  if (found !== null && !found.isDirectory()) await rm(folder, { force: true });
  await mkdir(folder, { recursive: true });
  const [file, text] = [join(folder, '.git'), pointerTo(entry)];
  const pointer = await lstat(file).catch(() => null);
  if (pointer?.isFile() && (await readFile(file, 'utf8').catch(() => '')) === text) return;
  await removeTree(file);
  await replace(file, text);
}

async function replace(file: string, text: string): Promise<void> {
  await removeTree(`${file}.new`);
  await writeFile(`${file}.new`, text, { flag: 'wx' });
  await rename(`${file}.new`, file);
}
