import { createHash } from 'node:crypto';
import { ROOT_FOLDERS } from '../setup/bring-in/parts.js';
import type { WorkspaceOrder } from '../workshop.port.js';

/** To be raised if stores of an earlier version of the service must not be used any more. */
const VERSION = 1;

/** Manifests, lock files and settings of package managers; what set-up installs depends on them. */
const MANIFESTS: readonly string[] = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  '.pnpmfile.cjs',
  'yarn.lock',
  '.yarnrc',
  '.yarnrc.yml',
  'bun.lock',
  'bun.lockb',
  'bunfig.toml',
  '.npmrc',
  '.nvmrc',
  '.node-version',
  '.tool-versions',
  'pyproject.toml',
  'uv.lock',
  'poetry.lock',
  'Pipfile',
  'Pipfile.lock',
  'setup.py',
  'setup.cfg',
  '*requirements*.txt',
  '*constraints*.txt',
  '.python-version',
  'go.mod',
  'go.sum',
  'go.work',
  'go.work.sum',
  'Cargo.toml',
  'Cargo.lock',
  'rust-toolchain',
  'rust-toolchain.toml',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'settings.gradle',
  'settings.gradle.kts',
  'gradle.properties',
  'libs.versions.toml',
  'maven-wrapper.properties',
  'gradle-wrapper.properties',
  'composer.json',
  'composer.lock',
  'Gemfile',
  'Gemfile.lock',
  '*.gemspec',
  '.ruby-version',
];

/** Folders whose files package managers read: requirements in parts, patches of packages, releases of yarn. */
const MANIFEST_FOLDERS: readonly string[] = ['requirements', 'patches', '.yarn'];

/** Pathspecs of git that match every file which set-up depends on, tracked files of dependency folders among them. */
export const SETUP_PATHS: readonly string[] = [
  ...MANIFESTS.map((name) => `:(top,glob)**/${name}`),
  ...[...MANIFEST_FOLDERS, ...ROOT_FOLDERS].flatMap((name) => [`:(top,glob)**/${name}`, `:(top,glob)**/${name}/**`]),
];

/** The same for two trees if set-up installs the same for both. `listed` is what git lists for SETUP_PATHS. */
export function setupKey(listed: string, { setup, copy }: Pick<WorkspaceOrder, 'setup' | 'copy'>): string {
  const parts = [VERSION, listed, setup ?? null, copy ?? []];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
