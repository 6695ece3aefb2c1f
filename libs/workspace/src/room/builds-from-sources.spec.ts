import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '#testing';
import { write } from '../setup/setup.fixture.js';
import { buildsFromSources, runsRepositoryCode } from './builds-from-sources.js';

describe('set-up that builds from sources', () => {
  let folder: ReturnType<typeof tempFolder>;
  beforeEach(() => (folder = tempFolder('builds')));
  afterEach(() => folder.remove());

  const builds = (files: Record<string, string>, given: readonly string[] | null = null): Promise<boolean> => {
    write(folder.path, files);
    return buildsFromSources(folder.path, given);
  };
  const npm = (scripts: object): Record<string, string> => ({
    'package.json': JSON.stringify({ scripts }),
    'package-lock.json': '{}',
  });

  it('is not one that only installs', async () => {
    expect(await builds(npm({ test: 'node --test', build: 'tsc' }))).toBe(false);
    expect(await builds({ 'go.sum': '' }, ['npm install', 'go mod download'])).toBe(false);
  });

  it.each(['husky', 'husky install', 'npx husky install', 'is-ci || husky install', 'husky || true'])(
    'is not one whose only script installs hooks: %s',
    async (prepare) => {
      expect(await builds(npm({ prepare }))).toBe(false);
    },
  );

  it.each(['tsc', 'husky && tsc', 'prisma generate'])('is one with the script %s', async (postinstall) => {
    expect(await builds(npm({ postinstall }))).toBe(true);
  });

  it('is one with a given command that is no installation', async () => {
    expect(await builds(npm({}), ['npm ci', 'make dist'])).toBe(true);
  });

  it('is one with such a script in a package that is set up', async () => {
    const { 'package.json': manifest = '', 'package-lock.json': lock = '' } = npm({ postinstall: 'tsc' });
    const web = { 'web/package.json': manifest, 'web/package-lock.json': lock };
    expect(await builds({ ...npm({}), ...web }, ['npm ci'])).toBe(false);
    expect(await builds({ ...npm({}), ...web })).toBe(true);
  });

  it('is one with a local Python package, unless it is editable', async () => {
    expect(await builds({ 'requirements.txt': 'a==1\n-e .\n-r more.txt\n' })).toBe(false);
    expect(await builds({ 'requirements.txt': 'a==1\n.[test]\n' })).toBe(true);
    expect(await builds({ 'requirements.txt': './packages/x\n' })).toBe(true);
  });
});

describe('set-up that runs code of the repository', () => {
  let folder: ReturnType<typeof tempFolder>;
  beforeEach(() => (folder = tempFolder('runs-code')));
  afterEach(() => folder.remove());

  const runs = (...names: string[]): Promise<boolean> => {
    write(folder.path, Object.fromEntries(names.map((name) => [name, ''])));
    return runsRepositoryCode(folder.path);
  };

  it('is that of maven, gradle and Python packages', async () => {
    expect(await runs('package-lock.json', 'go.sum', 'Cargo.lock', 'requirements.txt')).toBe(false);
    expect(await runs('pyproject.toml')).toBe(true);
  });

  it.each(['pom.xml', 'build.gradle', 'core/pom.xml'])('is that of %s', async (name) => {
    expect(await runs(name)).toBe(true);
  });
});
