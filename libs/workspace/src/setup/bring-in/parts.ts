import { readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { removeTree } from '../../remove-tree.js';
import { TOOLS } from '../ecosystems.js';
import { kindOf } from '../plain-file.js';

const MADE = '.qralph-part-';
const REPLACED = '.qralph-old-';

/** Where a dependency folder lies while it is being made. */
export const partOf = (folder: string): string => join(dirname(folder), `${MADE}${basename(folder)}`);
/** Where the one lies that it takes the place of. */
export const replacedOf = (folder: string): string => join(dirname(folder), `${REPLACED}${basename(folder)}`);

/** Dependency folders in the root of a worktree: no others are ever brought in as hard links. */
export const ROOT_FOLDERS: readonly string[] = [
  ...new Set(TOOLS.flatMap(({ folder }) => (folder === null || folder.includes('/') ? [] : [folder]))),
];

/** Names that may lie in the root of a worktree while its dependencies are brought in. */
export const PART_NAMES: readonly string[] = ROOT_FOLDERS.flatMap((folder) => [partOf(folder), replacedOf(folder)]);

/**
 * Takes away what a crash left half-made. Its files may be hard links to the user's own, and no command knows it as
 * read-only: none may run before this.
 */
export async function clearParts(worktree: string): Promise<void> {
  const present = new Set(await readdir(worktree));
  for (const folder of ROOT_FOLDERS) {
    const [part, replaced] = [partOf(folder), replacedOf(folder)];
    if (present.has(replaced) && (await kindOf(join(worktree, folder))) === null) {
      await rename(join(worktree, replaced), join(worktree, folder));
    }
    for (const name of [part, replaced].filter((one) => present.has(one))) {
      await removeTree(join(worktree, name));
    }
  }
}
