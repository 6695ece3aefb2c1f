import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { detectSetup } from './detect-setup.js';
import { planSetup } from './plan-setup.js';
import { type Files, write } from './setup.fixture.js';

describe('what has to be installed in a worktree', () => {
  let folder: TempFolder;
  beforeEach(() => (folder = tempFolder('detect')));
  afterEach(() => folder.remove());

  it.each<readonly [lockFile: string, command: string, folder: string | null]>([
    ['package-lock.json', 'npm ci', 'node_modules'],
    ['npm-shrinkwrap.json', 'npm ci', 'node_modules'],
    ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile', 'node_modules'],
    ['yarn.lock', 'yarn install --frozen-lockfile', 'node_modules'],
    ['bun.lock', 'bun install --frozen-lockfile', 'node_modules'],
    ['bun.lockb', 'bun install --frozen-lockfile', 'node_modules'],
    ['uv.lock', 'uv sync --frozen', '.venv'],
    ['poetry.lock', 'poetry install --no-interaction', '.venv'],
    ['Pipfile.lock', 'pipenv sync --dev', '.venv'],
    ['requirements.txt', 'python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt', '.venv'],
    ['go.sum', 'go mod download', null],
    ['Cargo.lock', 'cargo fetch --locked', null],
    ['pom.xml', 'mvn -B test -Dmaven.test.failure.ignore=true', null],
    ['build.gradle', 'gradle --console=plain testClasses', null],
    ['build.gradle.kts', 'gradle --console=plain testClasses', null],
    ['composer.lock', 'composer install --no-interaction --no-progress', 'vendor'],
    ['Gemfile.lock', 'BUNDLE_FROZEN=true bundle install', 'vendor/bundle'],
  ])('%s: %s', async (lockFile, command, into) => {
    write(folder.path, { [lockFile]: '' });
    expect(await detectSetup(folder.path)).toMatchObject([{ lockFile, command, folder: into }]);
  });

  it.each<readonly [what: string, files: Files, tools: readonly string[]]>([
    ['nothing without a lock file', { 'package.json': '{}' }, []],
    ['yarn by the form of its lock file', { 'yarn.lock': '# y\n\n__metadata:\n  version: 8\n' }, ['yarn-berry']],
    ['the first of several of one language', { 'yarn.lock': '', 'package-lock.json': '' }, ['npm']],
    [
      'the one that package.json names',
      { 'package-lock.json': '', 'pnpm-lock.yaml': '', 'package.json': '{"packageManager":"pnpm@10.1.0+sha512.x"}' },
      ['pnpm'],
    ],
    ['one for each language', { 'go.sum': '', 'package-lock.json': '', 'uv.lock': '' }, ['npm', 'uv', 'go']],
    ['what package.json cannot say', { 'package-lock.json': '', 'package.json': '[not json' }, ['npm']],
  ])('is %s', async (_, files, tools) => {
    write(folder.path, files);
    expect((await detectSetup(folder.path)).map(({ tool }) => tool)).toEqual(tools);
  });

  it("is installed with the repository's own wrapper, and with all files of requirements", async () => {
    write(folder.path, { 'pom.xml': '', mvnw: '', 'requirements.txt': '', 'requirements-dev.txt': '' });
    const commands = (await detectSetup(folder.path)).map(({ command }) => command);
    expect(commands).toEqual([
      expect.stringMatching(/-r requirements.txt -r requirements-dev.txt$/),
      'sh ./mvnw -B test -Dmaven.test.failure.ignore=true',
    ]);
  });

  it('is not read from a link', async () => {
    symlinkSync('/etc/passwd', join(folder.path, 'package-lock.json'));
    expect(await detectSetup(folder.path)).toEqual([]);
  });

  describe('as a plan', () => {
    const planned = async (files: Files, given: readonly string[] | null) => {
      write(folder.path, files);
      return planSetup(await detectSetup(folder.path), given, folder.path);
    };

    it('can be replaced by a folder in any usual spelling, and keeps everything else', async () => {
      const { steps, writesAfterwards } = await planned({ 'package-lock.json': '' }, ['npm  i ', 'npm run generate']);
      expect(steps.map(({ replaces }) => replaces?.folder ?? null)).toEqual(['node_modules', null]);
      expect(writesAfterwards).toBe(true);
    });

    it('is not replaced where the command does more than to install', async () => {
      const { steps } = await planned({ 'package-lock.json': '' }, ['npm ci && npm run generate']);
      expect(steps.map(({ replaces }) => replaces)).toEqual([null]);
    });

    it('runs each script of an installation once', async () => {
      const scripts = { preinstall: 'a', install: 'b', postinstall: 'c', prepare: 'd', postprepare: 'e', test: 'f' };
      const { steps } = await planned({ 'package-lock.json': '', 'package.json': JSON.stringify({ scripts }) }, null);
      expect(steps[0]?.afterwards).toEqual(['npm run install', 'npm run prepare']);
    });

    it('runs scripts of a package in its folder, whatever its name', async () => {
      const files = {
        'pnpm-lock.yaml': '',
        'pnpm-workspace.yaml': '',
        "it's/package.json": '{"scripts":{"preprepare":"a","prepare":"b"}}',
      };
      const { steps } = await planned(files, null);
      const folderName = `'it'\\''s'`;
      expect(steps[0]?.afterwards).toEqual([
        `cd ${folderName} && pnpm run preprepare`,
        `cd ${folderName} && pnpm run prepare`,
      ]);
    });

    it('writes nothing afterwards where commands of other languages only install', async () => {
      expect(await planned({ 'package-lock.json': '', 'go.sum': '' }, null)).toMatchObject({ writesAfterwards: false });
    });
  });
});
