import { join } from 'node:path';
import type { DetectedSetup } from '../detect-setup.js';
import { kindOf, readPlainFile } from '../plain-file.js';
import { lacksBundle } from './bundler-install.js';
import { lacksComposer } from './composer-install.js';
import { lacksMarkedInstall } from './marked-install.js';
import { lacksNpm } from './npm-install.js';
import { lacksVenv } from './python-install.js';

/**
 * Why the user's checkout does not hold the dependencies that the worktree's lock file asks for; null where it does.
 *
 * It does when the two lock files are the same to the byte, and the folder itself says that it was made from that lock
 * file: by the record that the tool left in it, or by the names and versions of what is in it. A folder that says
 * nothing about itself is not trusted. What somebody changed by hand inside a package is not found by this: nobody but
 * the user writes there.
 */
export async function lacksDependencies(
  setup: DetectedSetup & { readonly folder: string },
  checkout: string,
  worktree: string,
): Promise<string | null> {
  if ((await kindOf(join(checkout, setup.folder))) !== 'folder') {
    return `there is no folder ${setup.folder} in the user's checkout`;
  }
  const wanted = await readPlainFile(join(worktree, setup.lockFile));
  const found = await readPlainFile(join(checkout, setup.lockFile));
  if (wanted === null) return `there is no ${setup.lockFile}`;
  if (found !== wanted) return `${setup.lockFile} is not the same in the user's checkout`;
  const place = { checkout, lockFile: setup.lockFile, lock: wanted, folder: join(checkout, setup.folder) };
  switch (setup.tool) {
    case 'npm':
      return lacksNpm(place);
    case 'pnpm':
      return lacksMarkedInstall(place, '.modules.yaml');
    case 'yarn-classic':
      return lacksMarkedInstall(place, '.yarn-integrity');
    case 'yarn-berry':
      return lacksMarkedInstall(place, '.yarn-state.yml');
    case 'uv':
    case 'poetry':
    case 'pipenv':
    case 'pip':
      return lacksVenv(setup.tool, place);
    case 'composer':
      return lacksComposer(place);
    case 'bundler':
      return lacksBundle(place);
    case 'bun':
    case 'go':
    case 'cargo':
    case 'maven':
    case 'gradle':
      return `${setup.tool} leaves no record of what it installed`;
  }
}
