import { type Language, TOOLS } from './ecosystems.js';

/** Files beside the lock files that say which dependencies are installed, and how. */
const MANIFESTS: Readonly<Record<Language, readonly string[]>> = {
  javascript: [
    'package.json',
    'pnpm-workspace.yaml',
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pnpmfile.cjs',
    'bunfig.toml',
  ],
  python: ['pyproject.toml', 'setup.py', 'setup.cfg', 'Pipfile', 'requirements-dev.txt', 'requirements-test.txt'],
  go: ['go.mod', 'go.work', 'go.work.sum'],
  rust: ['Cargo.toml'],
  java: ['settings.gradle', 'settings.gradle.kts', 'gradle.properties', 'libs.versions.toml'],
  php: ['composer.json'],
  ruby: ['Gemfile'],
};

const NAMES: ReadonlySet<string> = new Set([
  ...TOOLS.map(({ lockFile }) => lockFile),
  ...Object.values(MANIFESTS).flat(),
]);

/** Whether set-up may install something else if this file changes: a manifest or lock file of any package. */
export const isManifest = (path: string): boolean => NAMES.has(path.slice(path.lastIndexOf('/') + 1));
