import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { type Files, write } from '../setup/setup.fixture.js';
import { detectTouchedPackages, detectVerify } from './detect-verify.js';

const scripts = (all: Readonly<Record<string, unknown>>): string => JSON.stringify({ scripts: all });

describe('how a worktree proves itself', () => {
  let folder: TempFolder;
  beforeEach(() => (folder = tempFolder('detect')));
  afterEach(() => folder.remove());

  it.each<readonly [what: string, files: Files, commands: readonly string[]]>([
    ['nothing tells', { 'README.md': '' }, []],
    [
      'packages, if the root has no tests',
      {
        'package.json': JSON.stringify({ workspaces: ['packages/*'], scripts: { build: 'tsc -b' } }),
        'pnpm-lock.yaml': '',
        'packages/a/package.json': scripts({ test: 'node --test' }),
        'packages/b/package.json': scripts({ build: 'tsc' }),
        'backend/requirements.txt': '',
        'backend/test_x.py': '',
      },
      ['pnpm run build', 'cd backend && .venv/bin/python -m pytest', 'cd packages/a && pnpm test'],
    ],
    [
      'the root alone, if it has tests',
      { 'package.json': scripts({ test: 'vitest run' }), 'packages/a/package.json': scripts({ test: 'node --test' }) },
      ['npm test'],
    ],
    ['a test script', { 'package.json': scripts({ test: 'vitest run' }) }, ['npm test']],
    [
      'types and build come before tests',
      { 'package.json': scripts({ test: 'jest', build: 'tsc', 'type-check': 'tsc', lint: 'eslint' }) },
      ['npm run type-check', 'npm run build', 'npm test'],
    ],
    ['npm init has no test', { 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1' }) }, []],
    ['pnpm by its lock file', { 'pnpm-lock.yaml': '', 'package.json': scripts({ test: 'a' }) }, ['pnpm test']],
    ['yarn by its lock file', { 'yarn.lock': '__metadata:\n', 'package.json': scripts({ test: 'a' }) }, ['yarn test']],
    ['bun by its lock file', { 'bun.lock': '', 'package.json': scripts({ test: 'a' }) }, ['bun run test']],
    ['scripts that are no texts', { 'package.json': '{"scripts":{"test":{"a":1}}}' }, []],
    ['a package.json that is no object', { 'package.json': '[1' }, []],
    ['pytest by its settings', { 'pyproject.toml': '[project]\n[tool.pytest.ini_options]\n' }, ['python3 -m pytest']],
    ['a pyproject.toml without it', { 'pyproject.toml': '[project]\nname = "a"\n' }, []],
    ['pytest by a test file', { 'tests/test_sum.py': '', 'requirements.txt': '' }, ['.venv/bin/python -m pytest']],
    ['a folder tests of another language', { 'tests/sum.js': '' }, []],
    ['go', { 'go.mod': '' }, ['go test -v ./...']],
    ['cargo', { 'Cargo.toml': '' }, ['cargo test']],
    ['maven, which must say its counts', { 'pom.xml': '' }, ['mvn -B test']],
    [
      'gradle with its wrapper',
      { 'build.gradle.kts': '', gradlew: '' },
      ['sh ./gradlew --console=plain --offline test'],
    ],
    ['a test target of make', { Makefile: 'build:\n\tcc\n\ntest: build\n\t./a.out\n' }, ['make test']],
    ['a variable of that name', { Makefile: 'test := 1\nall:\n\ttrue\n' }, []],
    ['make, which calls another', { Makefile: 'test:\n\tgo test ./...\n', 'go.mod': '' }, ['go test -v ./...']],
    [
      'several languages',
      { 'package.json': scripts({ test: 'jest' }), 'Cargo.toml': '', 'conftest.py': '' },
      ['npm test', 'python3 -m pytest', 'cargo test'],
    ],
  ])('%s', async (_, files, commands) => {
    write(folder.path, files);
    expect((await detectVerify(folder.path)).map(({ command }) => command)).toEqual(commands);
  });

  it('tests touched packages too if the root has tests', async () => {
    const member = scripts({ test: 'node --test' });
    write(folder.path, {
      'package.json': scripts({ test: 'vitest run' }),
      'packages/a/package.json': member,
      'packages/b/package.json': member,
      'packages/untested/package.json': scripts({}),
    });
    const touched = (...paths: readonly string[]) => detectTouchedPackages(folder.path, paths);
    expect(await touched('packages/b/index.js', 'packages/untested/a.js', 'index.js', 'packages/ab/c.js')).toEqual([
      'cd packages/b && npm test',
    ]);
    expect(await touched('index.js')).toEqual([]);
  });

  it('tests a touched package too if there are more packages than verify commands', async () => {
    const names = Array.from({ length: 21 }, (_, nth) => `packages/p${String(nth + 10)}`);
    const manifests = names.map((name) => [`${name}/package.json`, scripts({ test: 'node --test' })] as const);
    write(folder.path, { 'package.json': scripts({}), ...Object.fromEntries(manifests) });
    const verified = (await detectVerify(folder.path)).map(({ command }) => command);
    const touched = await detectTouchedPackages(folder.path, ['packages/p30/index.js']);
    expect([verified.length, touched]).toEqual([20, ['cd packages/p30 && npm test']]);
    expect(verified).not.toContain(touched[0]);
  });
});
