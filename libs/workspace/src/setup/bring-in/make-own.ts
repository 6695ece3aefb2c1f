import { constants } from 'node:fs';
import { cp, rename } from 'node:fs/promises';
import { removeTree } from '../../remove-tree.js';
import { kindOf } from '../plain-file.js';
import type { BroughtIn } from './bring-in.js';
import { foldersWithHardLinks } from './hard-links.js';
import { clearParts, partOf, replacedOf } from './parts.js';

/**
 * Turns brought-in folders whose files are hard links into the worktree's own: for repositories whose commands write
 * into their dependencies, and for sandboxes that cannot keep them from it. Safe to repeat.
 */
export async function makeOwn(broughtIn: BroughtIn): Promise<BroughtIn> {
  for (const folder of new Set(broughtIn.readOnly)) await copyOver(folder);
  return { ...broughtIn, method: 'copy', readOnly: [], writable: [] };
}

/** The same where nobody remembers what was brought in. */
export async function makeOwnWhatIsLinked(worktree: string): Promise<void> {
  await clearParts(worktree);
  for (const folder of await foldersWithHardLinks(worktree)) await copyOver(folder);
}

async function copyOver(folder: string): Promise<void> {
  if ((await kindOf(folder)) !== 'folder') return;
  const [part, replaced] = [partOf(folder), replacedOf(folder)];
  for (const path of [part, replaced]) await removeTree(path);
  const mode = constants.COPYFILE_FICLONE;
  await cp(folder, part, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, mode });
  await rename(folder, replaced);
  await rename(part, folder);
  await removeTree(replaced);
}
