import { posix } from 'node:path';
import { dependencyPaths } from '../setup/dependency-files.js';
import { PART_NAMES } from '../setup/bring-in/parts.js';

/** What set-up left in a checkout, by what becomes of it. Paths are relative to the root. */
export interface SetUpFiles {
  /** Folders of dependencies. */
  readonly folders: readonly string[];
  /** Other files and folders that are no build cache. */
  readonly loose: readonly string[];
}

const CACHES: ReadonlySet<string> = new Set([
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.hypothesis',
  '.tox',
  '.nox',
  '.gradle',
  '.kotlin',
  '.turbo',
  '.parcel-cache',
  '.nyc_output',
  'coverage',
  'tsconfig.tsbuildinfo',
]);

/** Folders that a build tool fills, if its manifest lies beside them. */
const OUTPUTS: Readonly<Record<string, readonly string[]>> = {
  target: ['Cargo.toml', 'pom.xml'],
  build: ['build.gradle', 'build.gradle.kts'],
};

/** Sorts the paths that git lists as untracked: a folder has a slash at its end. `isTracked` is asked for manifests. */
export function sortSetUpFiles(untracked: readonly string[], isTracked: (path: string) => boolean): SetUpFiles {
  const paths = untracked.filter((path) => !PART_NAMES.includes(withoutSlash(path)));
  const dependencies = new Set(dependencyPaths(paths).filter((path) => path.endsWith('/')));
  const loose = paths.filter((path) => !dependencies.has(path) && !isBuildCache(withoutSlash(path), isTracked));
  return { folders: [...dependencies].map(withoutSlash), loose: loose.map(withoutSlash) };
}

function isBuildCache(path: string, isTracked: (path: string) => boolean): boolean {
  const name = posix.basename(path);
  if (CACHES.has(name) || name.endsWith('.pyc')) return true;
  const manifests = Object.hasOwn(OUTPUTS, name) ? (OUTPUTS[name] ?? []) : [];
  return manifests.some((manifest) => isTracked(posix.join(posix.dirname(path), manifest)));
}

/**
 * Whether these files show that set-up built something from the sources: then its result holds for one tree only.
 * Files of `copy` and the metadata of editable Python packages are no such files.
 */
export const showsBuild = (loose: readonly string[], copied: readonly string[]): boolean =>
  loose.some(
    (path) => !copied.some((one) => one === path || one.startsWith(`${path}/`)) && !path.endsWith('.egg-info'),
  );

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);
