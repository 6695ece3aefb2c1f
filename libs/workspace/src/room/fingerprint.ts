import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '#kernel';

const AT_ONCE = 64;
const UNSEEN = ['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'];

/**
 * A hash over everything at a path, however deep; it differs if a file was written, replaced, added or removed since.
 * A file is told by its inode, size, rights and the time of its last change, which no command can set. Follows no link.
 */
export async function fingerprint(path: string): Promise<string> {
  const seen: string[] = [];
  const rest = [path];
  while (rest.length > 0) {
    const some = rest.splice(-AT_ONCE);
    const looks = await Promise.all(some.map(look));
    for (const { text, within } of looks) {
      seen.push(text);
      rest.push(...within);
    }
  }
  return createHash('sha256').update(seen.sort().join('\0')).digest('base64url');
}

async function look(path: string): Promise<{ text: string; within: readonly string[] }> {
  try {
    const is = await lstat(path);
    if (!is.isDirectory()) {
      return { text: `${path}\0${[is.mode, is.ino, is.size, is.ctimeMs].join(' ')}`, within: [] };
    }
    const names = await readdir(path);
    return { text: `${path}/\0${String(is.mode)}`, within: names.map((name) => join(path, name)) };
  } catch (error) {
    if (!UNSEEN.includes(errorCode(error))) throw error;
    return { text: `${path}\0${errorCode(error)}`, within: [] };
  }
}
