import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { kindOf, readPlainFile } from '../plain-file.js';
import type { InstalledPlace } from './installed-place.js';
import { type PythonLock, pythonLock, pythonName } from './python-lock.js';

/** Every environment may have these, whatever its lock file says. */
const OF_THE_ENVIRONMENT = ['pip', 'setuptools', 'wheel', 'distribute'];

/**
 * Every distribution that the lock file asks for on this machine is there in its version, and, where the lock file
 * names all of them, no other one.
 */
export async function lacksVenv(
  tool: 'uv' | 'poetry' | 'pipenv' | 'pip',
  { folder, lock }: InstalledPlace,
): Promise<string | null> {
  if ((await kindOf(join(folder, 'pyvenv.cfg'))) !== 'file') return '.venv is no virtual environment';
  const wanted = pythonLock(tool, lock);
  if (typeof wanted === 'string') return wanted;
  const packages = await sitePackages(folder);
  return packages === null ? '.venv is not of one Python' : difference(wanted, await distributions(packages));
}

export function difference(wanted: PythonLock, found: ReadonlyMap<string, string>): string | null {
  for (const [name, { versions, isNeeded }] of wanted.packages) {
    const version = found.get(name);
    if (version === undefined && isNeeded) return `.venv lacks ${name}`;
    if (version !== undefined && !versions.includes(version)) return `.venv holds ${name} ${version}`;
  }
  if (!wanted.isComplete) return null;
  const known = new Set([...wanted.packages.keys(), ...wanted.own, ...OF_THE_ENVIRONMENT]);
  const further = [...found.keys()].find((name) => !known.has(name));
  return further === undefined ? null : `.venv holds ${further}, the lock file does not`;
}

export async function sitePackages(venv: string): Promise<string | null> {
  const lib = join(venv, 'lib');
  const names = (await kindOf(lib)) === 'folder' ? await readdir(lib) : [];
  const pythons = names.filter((name) => /^python\d/.test(name));
  return pythons.length === 1 ? join(lib, pythons[0] ?? '', 'site-packages') : null;
}

/** Names and versions of what is installed: each distribution has a folder of metadata. */
async function distributions(packages: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const names = (await kindOf(packages)) === 'folder' ? await readdir(packages) : [];
  for (const folder of names.filter((name) => name.endsWith('.dist-info'))) {
    const metadata = await readPlainFile(join(packages, folder, 'METADATA'));
    const name = /^Name: (\S+)/m.exec(metadata ?? '')?.[1];
    const version = /^Version: (\S+)/m.exec(metadata ?? '')?.[1];
    if (name !== undefined && version !== undefined) found.set(pythonName(name), version);
  }
  return found;
}
