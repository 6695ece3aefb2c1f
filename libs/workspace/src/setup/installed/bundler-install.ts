import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { kindOf } from '../plain-file.js';
import type { InstalledPlace } from './installed-place.js';

/** `    name (1.2.3)` in the parts that list specifications; several lines where a gem is built for platforms. */
const SPECIFICATION = /^ {4}(\S{1,200}) \((\S{1,100})\)$/gm;

/** Every gem of the lock file lies in the folder of exactly one Ruby. */
export async function lacksBundle({ folder, lock }: InstalledPlace): Promise<string | null> {
  if (/^(?:GIT|PATH)$/m.test(lock)) return 'Gemfile.lock names gems that come from no index';
  const rubies = (await kindOf(join(folder, 'ruby'))) === 'folder' ? await readdir(join(folder, 'ruby')) : [];
  if (rubies.length !== 1) return 'vendor/bundle is not of one Ruby';
  const gems = join(folder, 'ruby', rubies[0] ?? '', 'gems');
  const found = new Set((await kindOf(gems)) === 'folder' ? await readdir(gems) : []);
  const isThere = new Map<string, boolean>();
  for (const [, name = '', version = ''] of lock.matchAll(SPECIFICATION)) {
    isThere.set(name, isThere.get(name) === true || found.has(`${name}-${version}`));
  }
  const missing = [...isThere].find(([, there]) => !there);
  return missing === undefined ? null : `vendor/bundle lacks ${missing[0]}`;
}
