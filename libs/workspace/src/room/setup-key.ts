import { createHash } from 'node:crypto';
import { ROOT_FOLDERS } from '../setup/bring-in/parts.js';
import type { WorkspaceOrder } from '../workshop.port.js';

/** To be raised if stores of an earlier version of the service must not be used any more. */
const VERSION = 1;

/** Manifests, lock files and settings of package managers; what set-up installs depends on them. */
const MANIFESTS: ReadonlySet<string> = new Set([
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
  '.ruby-version',
]);
const MANIFEST_NAME = /(?:requirements|constraints)[^/]*\.txt$|\.gemspec$/;

/** Folders whose files package managers read: requirements in parts, patches of packages, releases of yarn. */
const MANIFEST_FOLDERS: readonly string[] = ['requirements', 'patches', '.yarn', ...ROOT_FOLDERS];

/** Whether set-up depends on this tracked file. Tracked files in dependency folders are among those. */
export function isSetupFile(path: string): boolean {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  return MANIFESTS.has(name) || MANIFEST_NAME.test(name) || parts.some((part) => MANIFEST_FOLDERS.includes(part));
}

/** The same for two trees if set-up installs the same for both. */
export function setupKey(manifests: string, { setup, copy }: Pick<WorkspaceOrder, 'setup' | 'copy'>): string {
  const parts = [VERSION, manifests, setup ?? null, copy ?? []];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
