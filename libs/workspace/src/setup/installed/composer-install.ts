import { join } from 'node:path';
import { jsonObject, readPlainFile, recordOf, textIn } from '../plain-file.js';
import type { InstalledPlace } from './installed-place.js';

/** Scripts that composer runs after an installation; what they make may lie anywhere. */
const SCRIPTS = ['post-install-cmd', 'post-autoload-dump'];

/** The same names and versions in the lock file as in composer's own list of what is installed. */
export async function lacksComposer({ checkout, folder, lock }: InstalledPlace): Promise<string | null> {
  const record = await readPlainFile(join(folder, 'composer/installed.json'));
  if (record === null) return 'composer left no record (composer/installed.json) in vendor';
  const scripts = recordOf(jsonObject(await readPlainFile(join(checkout, 'composer.json')))['scripts']);
  const script = SCRIPTS.find((name) => Object.hasOwn(scripts, name));
  if (script !== undefined) return `composer.json has ${script}, which only an installation runs`;
  const locked = jsonObject(lock);
  const wanted = [...versionsIn(locked['packages']), ...versionsIn(locked['packages-dev'])].sort();
  const found = versionsIn(jsonObject(record)['packages']).sort();
  return wanted.join('\n') === found.join('\n') ? null : 'vendor holds other packages than composer.lock';
}

function versionsIn(packages: unknown): string[] {
  if (!Array.isArray(packages)) return [];
  return packages.map((one: unknown) => {
    const { name, version } = recordOf(one);
    return `${textIn(name) ?? ''} ${textIn(version) ?? ''}`;
  });
}
