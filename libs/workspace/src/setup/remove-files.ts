import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '#kernel';
import { removeTree } from '../remove-tree.js';
import { giveRightsBack } from '../worktree/tame-folder.js';

const GONE = ['ENOENT', 'ENOTDIR'];

/**
 * Removes what lies at these paths, except these folders (with a slash at the end) and what is in them. Follows no link
 * at the end of a path. Safe to repeat.
 */
export async function removeFiles(
  root: string,
  paths: readonly string[],
  except: readonly string[] = [],
): Promise<void> {
  const kept = new Set(except);
  const parents = parentsOf(except);
  const removeAt = async (path: string): Promise<void> => {
    const name = path.endsWith('/') ? path.slice(0, -1) : path;
    const whole = join(root, name);
    const found = await unlessGone(lstat(whole));
    if (found === null || (found.isDirectory() && kept.has(`${name}/`))) return;
    if (!found.isDirectory() || !parents.has(`${name}/`)) return removeTree(whole);
    for (const entry of (await unlessGone(readdir(whole))) ?? []) await removeAt(`${name}/${entry}`);
  };
  const removeAll = async (): Promise<void> => {
    for (const path of paths) await removeAt(path);
  };
  await removeAll().catch(async (error: unknown) => {
    if (!['EACCES', 'EPERM'].includes(errorCode(error))) throw error;
    // Folders that their owner may not write to or enter.
    await giveRightsBack(root);
    await removeAll();
  });
}

/** Folders on the way to these paths. */
function parentsOf(paths: readonly string[]): ReadonlySet<string> {
  const parents = new Set<string>();
  for (const path of paths) {
    const names = path.split('/').filter(Boolean).slice(0, -1);
    for (const nth of names.keys()) parents.add(`${names.slice(0, nth + 1).join('/')}/`);
  }
  return parents;
}

async function unlessGone<T>(done: Promise<T>): Promise<T | null> {
  try {
    return await done;
  } catch (error) {
    if (GONE.includes(errorCode(error))) return null;
    throw error;
  }
}
