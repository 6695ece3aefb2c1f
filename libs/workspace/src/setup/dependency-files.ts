import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '#kernel';
import { SCRATCH } from './bring-in/own-parts.js';
import { ROOT_FOLDERS } from './bring-in/parts.js';
import type { WorkPlace } from './work-place.js';

/** A package is what lies directly in one of these. */
const CONTAINERS: readonly string[] = [...ROOT_FOLDERS, 'site-packages'];
/** Python writes it wherever it runs. */
const BYTECODE = '__pycache__';
/** More of them would finish together, and keep everybody else waiting. */
const FOLDERS_AT_ONCE = 8;
/** It was made so that it cannot be looked at, or is gone: no failure, but a difference to what was seen before. */
const NOT_SEEN = ['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'];

/**
 * Every file in the dependency folders among the ignored paths, by its package; no link is followed. A file is told by
 * what no command can set: the time of its last change, which content, name, rights and owner all move, beside its inode
 * and size. Folders that commands cannot write to are left out: their files are the user's own, who may do with them as
 * they like.
 */
export async function filesByPackage(
  place: WorkPlace,
  ignored: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const look = new Look(place);
  const paths = dependencyPaths(ignored);
  const folders = [...paths.filter(isFolder).map((path) => path.slice(0, -1)), ...ownFolders(place)];
  await look.atFiles(paths.filter((path) => !isFolder(path)));
  while (folders.length > 0) {
    const some = folders.splice(-FOLDERS_AT_ONCE);
    folders.push(...(await Promise.all(some.map((folder) => look.atFolder(folder)))).flat());
  }
  return look.packages;
}

class Look {
  readonly packages = new Map<string, string[]>();

  constructor(private readonly place: WorkPlace) {}

  async atFiles(paths: readonly string[]): Promise<void> {
    await Promise.all(paths.map((path) => this.atFile(path)));
  }

  /** Answers with the folders within. */
  async atFolder(path: string): Promise<readonly string[]> {
    const whole = join(this.place.folder, path);
    if (this.place.readOnly.includes(whole)) return [];
    const found = await readdir(whole, { withFileTypes: true }).catch((error: unknown) => this.unseen(path, error));
    const entries = found.filter(({ name }) => !isScratch(path, name));
    const below = ({ name }: { readonly name: string }): string => `${path}/${name}`;
    await this.atFiles(entries.filter((entry) => !entry.isDirectory()).map(below));
    return entries.filter((entry) => entry.isDirectory()).map(below);
  }

  private async atFile(path: string): Promise<void> {
    try {
      const { mode, ino, size, ctimeMs } = await lstat(join(this.place.folder, path));
      this.note(path, [mode, ino, size, ctimeMs].join(' '));
    } catch (error) {
      this.unseen(path, error);
    }
  }

  private unseen(path: string, error: unknown): [] {
    if (!NOT_SEEN.includes(errorCode(error))) throw error;
    this.note(path, errorCode(error));
    return [];
  }

  private note(path: string, what: string): void {
    const name = packageOf(path);
    const files = this.packages.get(name) ?? [];
    this.packages.set(name, files);
    files.push(`${path}\0${what}`);
  }
}

const isFolder = (path: string): boolean => path.endsWith('/');

/** Those of the ignored paths where dependencies lie. */
export const dependencyPaths = (ignored: readonly string[]): readonly string[] =>
  ignored.filter((path) => {
    const parts = path.split('/');
    return ROOT_FOLDERS.includes(parts[0] ?? '') || parts.includes('node_modules');
  });

const isScratch = (folder: string, name: string): boolean =>
  isBytecode(name) || (SCRATCH.includes(name) && /(?:^|\/)node_modules$/.test(folder));

export const isBytecode = (path: string): boolean => path.endsWith('.pyc') || path.split('/').includes(BYTECODE);

/** What commands may write to within folders that they may not. */
function ownFolders({ folder, writable }: WorkPlace): readonly string[] {
  const paths = writable.map((path) => path.slice(folder.length + 1));
  return paths.filter((path) => {
    const at = path.lastIndexOf('/');
    return !isScratch(path.slice(0, at), path.slice(at + 1));
  });
}

/** `node_modules/one/index.js` is of `node_modules/one`; one with a scope has a name of two parts. */
function packageOf(path: string): string {
  const parts = path.split('/');
  const at = parts.findLastIndex((part) => CONTAINERS.includes(part));
  return parts.slice(0, at + (parts[at + 1]?.startsWith('@') === true ? 3 : 2)).join('/');
}
