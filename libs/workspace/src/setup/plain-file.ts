import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { errorCode } from '#kernel';

/** Larger ones are no lock file or manifest that anybody wrote or any tool made. */
const MANIFEST_BYTES = 64 * 1024 * 1024;

const ABSENT = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EACCES', 'ENAMETOOLONG'];

/**
 * The text of a regular file; null where there is none, or something else of that name. Neither a link that leads out
 * of the worktree nor a pipe that never ends can be read by it.
 */
export async function readPlainFile(path: string, maxBytes = MANIFEST_BYTES): Promise<string | null> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (ABSENT.includes(errorCode(error))) return null;
    throw error;
  }
  try {
    const { size } = await file.stat().then((is) => (is.isFile() ? is : { size: Infinity }));
    return size <= maxBytes ? await file.readFile('utf8') : null;
  } finally {
    await file.close();
  }
}

/** Its members, or nothing where the text is no JSON object. */
export function jsonObject(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null) return {};
  try {
    return recordOf(JSON.parse(text));
  } catch {
    // A manifest that cannot be read says nothing; the tool it is for will say what is wrong with it.
    return {};
  }
}

export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

export const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export type PathKind = 'file' | 'folder' | 'link' | 'other' | null;

/** What there is of this name, itself: a link is a link. */
export async function kindOf(path: string): Promise<PathKind> {
  try {
    const is = await lstat(path);
    if (is.isSymbolicLink()) return 'link';
    if (is.isDirectory()) return 'folder';
    return is.isFile() ? 'file' : 'other';
  } catch (error) {
    if (ABSENT.includes(errorCode(error))) return null;
    throw error;
  }
}

/** Whether every folder on the way to a path below `root` is a folder, or not there yet: none of them is a link. */
export async function isReachedPlainly(root: string, path: string): Promise<boolean> {
  const parts = path.split(sep).slice(0, -1);
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const kind = await kindOf(join(root, ...parts.slice(0, depth)));
    if (kind === null) return true;
    if (kind !== 'folder') return false;
  }
  return true;
}
