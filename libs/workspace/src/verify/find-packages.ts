import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isManifest } from '../setup/manifests.js';
import { kindOf } from '../setup/plain-file.js';

/** More of them are hardly one project, and each costs a run of its tests. */
const MOST_PACKAGES = 20;
const MOST_FOLDERS = 200;
/** Nothing that a shell would read as more than a word; hidden folders and options are none. */
const PLAIN_NAME = /^[A-Za-z0-9_@][\w@+.-]{0,100}$/;
const NOT_SEARCHED: ReadonlySet<string> = new Set(['node_modules', 'vendor', 'target', 'dist', 'build', 'fixtures']);
/** `packages/one`, and no deeper. */
const DEEPEST = 2;

/** Folders below the root that have a manifest of their own, by name. Folders within such a folder are left out. */
export async function findPackages(
  root: string,
  isWanted: (folder: string) => boolean = () => true,
): Promise<readonly string[]> {
  const found: string[] = [];
  let level: readonly string[] = [''];
  for (let depth = 1; depth <= DEEPEST; depth += 1) {
    const next: string[] = [];
    for (const folder of level.slice(0, MOST_FOLDERS)) {
      for (const path of await foldersIn(root, folder)) {
        ((await hasManifest(join(root, path))) ? found : next).push(path);
      }
    }
    level = next;
  }
  return found.filter(isWanted).sort().slice(0, MOST_PACKAGES);
}

async function foldersIn(root: string, folder: string): Promise<readonly string[]> {
  const names = (await readdir(join(root, folder))).filter((name) => PLAIN_NAME.test(name) && !NOT_SEARCHED.has(name));
  const paths = names
    .sort()
    .slice(0, MOST_FOLDERS)
    .map((name) => (folder === '' ? name : `${folder}/${name}`));
  const kinds = await Promise.all(paths.map((path) => kindOf(join(root, path))));
  return paths.filter((_, nth) => kinds[nth] === 'folder');
}

async function hasManifest(folder: string): Promise<boolean> {
  for (const name of (await readdir(folder)).filter(isManifest)) {
    if ((await kindOf(join(folder, name))) === 'file') return true;
  }
  return false;
}

const IN_PACKAGE = /^cd ([\w@+./-]+) && (.+)$/s;

/** A command that runs in the folder of a package. */
export const inPackage = (folder: string, command: string): string => `cd ${folder} && ${command}`;

/** The package that a command runs in, and what runs there; null if it runs at the root. */
export function packageOf(command: string): { readonly folder: string; readonly command: string } | null {
  const [, folder, rest] = IN_PACKAGE.exec(command) ?? [];
  return folder === undefined || rest === undefined ? null : { folder, command: rest };
}
