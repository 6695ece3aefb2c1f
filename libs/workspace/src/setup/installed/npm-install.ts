import { join } from 'node:path';
import { jsonObject, readPlainFile, recordOf, textIn } from '../plain-file.js';
import type { InstalledPlace } from './installed-place.js';

/** What npm says that it has installed, in the same form as the lock file. */
const RECORD = '.package-lock.json';

interface Package {
  readonly version: string | null;
  readonly integrity: string | null;
  readonly isOptional: boolean;
}

/** Every package of the lock file is there in its version, optional ones for other machines aside, and no further one. */
export async function lacksNpm({ folder, lock }: InstalledPlace): Promise<string | null> {
  const record = await readPlainFile(join(folder, RECORD));
  if (record === null) return `npm left no record (${RECORD}) in node_modules`;
  const wanted = packagesOf(lock);
  const found = packagesOf(record);
  if (wanted === null) return 'the lock file is of an npm before 7';
  if (found === null) return `${RECORD} in node_modules is not npm's`;
  for (const [path, one] of wanted) {
    const there = found.get(path);
    if (!there && !one.isOptional) return `node_modules lacks ${path}`;
    if (there && !isSame(one, there)) return `node_modules holds another ${path} than the lock file`;
  }
  for (const path of found.keys()) if (!wanted.has(path)) return `node_modules holds ${path}, the lock file does not`;
  return null;
}

const isSame = (one: Package, other: Package): boolean =>
  one.version === other.version &&
  (one.integrity === other.integrity || one.integrity === null || other.integrity === null);

/** Those that were installed: not the root, nor packages of the repository itself and the links to them. */
export function packagesOf(lock: string): ReadonlyMap<string, Package> | null {
  const packages = jsonObject(lock)['packages'];
  if (packages === undefined) return null;
  const found = new Map<string, Package>();
  for (const [path, value] of Object.entries(recordOf(packages))) {
    const { version, integrity, optional, link } = recordOf(value);
    if (link === true || !/(?:^|\/)node_modules\//.test(path)) continue;
    found.set(path, { version: textIn(version), integrity: textIn(integrity), isOptional: optional === true });
  }
  return found;
}
