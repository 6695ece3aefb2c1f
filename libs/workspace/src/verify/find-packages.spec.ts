import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { write } from '../setup/setup.fixture.js';
import { findPackages, inPackage, packageOf } from './find-packages.js';

describe('the packages of a repository', () => {
  let folder: TempFolder;
  beforeEach(() => (folder = tempFolder('packages')));
  afterEach(() => folder.remove());

  it('are folders with a manifest of their own', async () => {
    write(folder.path, {
      'package.json': '{}',
      'packages/one/package.json': '{}',
      'packages/one/inner/package.json': '{}',
      'packages/none/README.md': '',
      'backend/requirements.txt': '',
      'a/b/c/go.mod': '',
    });
    expect(await findPackages(folder.path)).toEqual(['backend', 'packages/one']);
  });

  it('are none of the dependencies, hidden folders, links, or folders whose names a shell would read', async () => {
    write(folder.path, {
      'node_modules/x/package.json': '{}',
      '.hidden/package.json': '{}',
      '-x/package.json': '{}',
      '$(id)/package.json': '{}',
      'a b/package.json': '{}',
      'real/package.json': '{}',
    });
    symlinkSync('real', join(folder.path, 'link'));
    expect(await findPackages(folder.path)).toEqual(['real']);
  });

  it('are at most twenty', async () => {
    for (let nth = 0; nth < 25; nth += 1) write(folder.path, { [`p/n${String(nth)}/package.json`]: '{}' });
    expect(await findPackages(folder.path)).toHaveLength(20);
  });
});

it('a command in a package says which one', () => {
  expect(packageOf(inPackage('packages/one', 'npm test'))).toEqual({ folder: 'packages/one', command: 'npm test' });
  expect(packageOf('npm test')).toBeNull();
});
