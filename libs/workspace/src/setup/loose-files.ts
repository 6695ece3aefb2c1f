import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '#kernel';
import { removeTree } from '../remove-tree.js';
import { giveRightsBack } from '../worktree/tame-folder.js';
import { dependencyPaths, isBytecode } from './dependency-files.js';

/** Every file and folder (with a slash at its end) by its path from the root, and what tells it from another. */
export type LooseFiles = Readonly<Record<string, string>>;

const AT_ONCE = 32;
const GONE = ['ENOENT', 'ENOTDIR'];
/** Stands for bytes that are no text: such a name leads nowhere. */
const NO_TEXT = '\u{FFFD}';

/** Those of the ignored paths that are no dependencies. */
export function loosePaths(ignored: readonly string[]): readonly string[] {
  const dependencies = new Set(dependencyPaths(ignored));
  return ignored.filter((path) => !dependencies.has(path));
}

/**
 * Looks at all that lies at these paths, and takes away what is not among the known files or on the way to one; with
 * nothing given as known all of it stays. Folders that are left alone are not looked into. Follows no link. Safe to repeat.
 */
export async function looseFiles(
  root: string,
  paths: readonly string[],
  known?: LooseFiles,
  leftAlone: readonly string[] = [],
): Promise<LooseFiles> {
  const mayStay = known && withParents([...Object.keys(known), ...leftAlone]);
  const walk = (): Walk => new Walk(root, (path) => mayStay?.has(path) !== false, new Set(leftAlone));
  const look = (): Promise<LooseFiles> => walk().over(paths);
  return look().catch(async (error: unknown) => {
    if (!['EACCES', 'EPERM'].includes(errorCode(error))) throw error;
    // Folders that nobody may write to, or enter.
    await giveRightsBack(root);
    return look();
  });
}

class Walk {
  private readonly found: [string, string][] = [];

  constructor(
    private readonly root: string,
    private readonly mayStay: (path: string) => boolean,
    private readonly leftAlone: ReadonlySet<string>,
  ) {}

  async over(paths: readonly string[]): Promise<LooseFiles> {
    const rest = [...paths];
    while (rest.length > 0) {
      const some = rest.splice(-AT_ONCE);
      rest.push(...(await Promise.all(some.map((path) => this.at(path)))).flat());
    }
    return Object.fromEntries(this.found);
  }

  /** Answers with what lies within. */
  private async at(path: string): Promise<readonly string[]> {
    const name = path.endsWith('/') ? path.slice(0, -1) : path;
    const whole = join(this.root, name);
    const is = await unlessGone(lstat(whole));
    if (is === null) {
      // It cannot be taken away by that name, but is there: a difference to what was seen before.
      if (path.includes(NO_TEXT)) this.found.push([path, 'unseen']);
      return [];
    }
    const known = is.isDirectory() ? `${name}/` : name;
    if (!this.mayStay(known)) {
      await removeTree(whole);
      return [];
    }
    this.found.push([known, printOf(name, is)]);
    if (!is.isDirectory() || this.leftAlone.has(known)) return [];
    return ((await unlessGone(readdir(whole))) ?? []).map((entry) => `${known}${entry}`);
  }
}

/** A folder changes with what is in it, and bytecode with whoever runs: that they are there is all. */
function printOf(path: string, is: Stats): string {
  if (is.isDirectory() || isBytecode(path)) return 'there';
  return [is.mode, is.ino, is.size, is.ctimeMs].join(' ');
}

function withParents(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set(paths);
  for (const path of paths) {
    let end = path.lastIndexOf('/', path.length - 2);
    for (; end > 0 && !all.has(path.slice(0, end + 1)); end = path.lastIndexOf('/', end - 1)) {
      all.add(path.slice(0, end + 1));
    }
  }
  return all;
}

async function unlessGone<T>(done: Promise<T>): Promise<T | null> {
  try {
    return await done;
  } catch (error) {
    if (GONE.includes(errorCode(error))) return null;
    throw error;
  }
}
