import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { kindOf } from '../plain-file.js';
import type { BroughtIn } from './bring-in.js';
import { copyTree } from './copy-tree.js';
import type { OutsideCommands } from './outside-command.js';

/**
 * Turns brought-in folders whose files are hard links into the worktree's own: for repositories whose commands write
 * into their dependencies. Safe to repeat.
 */
export async function makeOwn(broughtIn: BroughtIn, outside: OutsideCommands): Promise<BroughtIn> {
  for (const folder of broughtIn.readOnly) {
    if ((await kindOf(folder)) !== 'folder') continue;
    const part = join(dirname(folder), `.qralph-part-${basename(folder)}`);
    await rm(part, { recursive: true, force: true });
    await copyTree(folder, part, await readdir(folder), 'copy', outside);
    await rm(folder, { recursive: true, force: true });
    await rename(part, folder);
  }
  return { ...broughtIn, method: 'copy', readOnly: [], writable: [] };
}
