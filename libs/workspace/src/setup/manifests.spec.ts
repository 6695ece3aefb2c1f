import { describe, expect, it } from 'vitest';
import { isManifest } from './manifests.js';

describe('isManifest', () => {
  it.each([
    'package.json',
    'packages/a/package.json',
    'package-lock.json',
    'yarn.lock',
    'bun.lockb',
    'requirements.txt',
    'pyproject.toml',
    'uv.lock',
    'go.mod',
    'go.sum',
    'crates/a/Cargo.toml',
    'pom.xml',
    'build.gradle.kts',
    'Gemfile',
    'composer.json',
  ])('accepts %s', (path) => {
    expect(isManifest(path)).toBe(true);
  });

  it.each(['src/index.ts', 'my-package.json', 'package.json.md', 'docs/requirements.md', 'README.md', ''])(
    'refuses %s',
    (path) => {
      expect(isManifest(path)).toBe(false);
    },
  );
});
