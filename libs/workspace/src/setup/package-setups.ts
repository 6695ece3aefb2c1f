import { join } from 'node:path';
import { findPackages } from '../verify/find-packages.js';
import { detectSetup, type DetectedSetup } from './detect-setup.js';
import { workspaceMembers } from './javascript-packages.js';

export interface PackageSetup {
  readonly package: string;
  readonly setup: DetectedSetup;
}

/**
 * What has to be installed in packages that have a lock file of their own. The root sets up members of its workspace, and
 * modules of its maven or gradle build.
 */
export async function detectPackageSetups(root: string): Promise<readonly PackageSetup[]> {
  const [ofRoot, isMember] = await Promise.all([detectSetup(root), workspaceMembers(root)]);
  const isBuiltByRoot = ofRoot.some(({ language }) => language === 'java');
  const found: PackageSetup[] = [];
  for (const name of await findPackages(root)) {
    for (const setup of await detectSetup(join(root, name))) {
      const isOfRoot = setup.language === 'javascript' ? isMember(name) : setup.language === 'java' && isBuiltByRoot;
      if (!isOfRoot) found.push({ package: name, setup });
    }
  }
  return found;
}
