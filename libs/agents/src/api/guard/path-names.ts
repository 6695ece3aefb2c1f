import { isWellFormed } from '#kernel';
import { ToolRefusal } from '../tools/refusal.js';

const LONGEST_PATH = 4_096;
const LONGEST_NAME = 255;
const MOST_NAMES = 64;

/** Characters that HFS+ leaves out when it compares names. */
const IGNORED_BY_FILE_SYSTEMS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * The names that a path from a model leads through, below the worktree; none for the worktree itself. Refuses every
 * path that could mean another place: what is left is a list of plain names, to be walked one by one.
 */
export function namesOf(path: string): readonly string[] {
  if (path.includes('\0')) throw new ToolRefusal('the path contains the character U+0000');
  if (!isWellFormed(path)) throw new ToolRefusal('the path contains half a character (a lone surrogate)');
  if (path.length > LONGEST_PATH) throw new ToolRefusal(`the path is longer than ${String(LONGEST_PATH)} characters`);
  if (path.startsWith('/'))
    throw new ToolRefusal('absolute paths are refused: give the path relative to the root of the repository');
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length > MOST_NAMES) throw new ToolRefusal(`the path is deeper than ${String(MOST_NAMES)} folders`);
  for (const name of names) refuseName(name);
  return names;
}

function refuseName(name: string): void {
  if (name === '..')
    throw new ToolRefusal('a path with `..` is refused: give the path relative to the root of the repository');
  if (Buffer.byteLength(name) > LONGEST_NAME) throw new ToolRefusal('a name of the path is too long for a file system');
  if (isReserved(name)) throw new ToolRefusal(`${JSON.stringify(name)} is not for agents: git and the service own it`);
}

/**
 * Whether some file system takes the name for `.git` or `.qralph`: in another case, with characters that are left out
 * (HFS+), with trailing dots and spaces, as a stream or as a short name (NTFS). The repository's next checkout may be
 * on such a file system, even where this one is not.
 */
export function isReserved(name: string): boolean {
  const seen = name.normalize('NFKC').replace(IGNORED_BY_FILE_SYSTEMS, '').toLowerCase();
  const base = (seen.split(/[:\\]/)[0] ?? '').replace(/[. ]+$/, '');
  return base === '.git' || base === '.qralph' || /^(?:git|qralph)~\d+$/.test(base);
}
