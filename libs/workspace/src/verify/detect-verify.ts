import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { detectSetup, type DetectedSetup } from '../setup/detect-setup.js';
import { findPackages, inPackage } from './find-packages.js';
import { jsonObject, kindOf, readPlainFile, recordOf, textIn } from '../setup/plain-file.js';

export interface DetectedVerify {
  readonly command: string;
  /** Only tests are evidence; the others find what tests do not see, and run before them. */
  readonly kind: 'types' | 'build' | 'test';
  /** The file that spoke for it. */
  readonly from: string;
}

/** What `npm init` writes where there are no tests. */
const NO_TEST = /no test specified/;
const TYPE_SCRIPTS = ['typecheck', 'type-check', 'check-types', 'check:types'];
const PYTHON_TEST_FILE = /^(?:test_.+|.+_test)\.py$/;

/**
 * How this worktree proves itself, by the files in its root. If the root has no tests, those of its packages count.
 * Empty if nothing tells.
 */
export async function detectVerify(folder: string): Promise<readonly DetectedVerify[]> {
  const setup = await detectSetup(folder);
  const found = await detectIn(folder, setup);
  if (found.some(({ kind }) => kind === 'test')) return found;
  return [...found, ...(await ofPackages(folder, setup, await findPackages(folder)))];
}

/**
 * What tests the packages that these paths lie in. Nobody knows whether the tests of the root run those of all packages,
 * and of many packages only the first ones are verified.
 */
export async function detectTouchedPackages(folder: string, paths: readonly string[]): Promise<readonly string[]> {
  const setup = await detectSetup(folder);
  const packages = await findPackages(folder, (name) => paths.some((path) => path.startsWith(`${name}/`)));
  return (await ofPackages(folder, setup, packages)).map(({ command }) => command);
}

/** A package without a lock file is set up by the root, with the root's tool. */
async function ofPackages(
  folder: string,
  rootSetup: readonly DetectedSetup[],
  packages: readonly string[],
): Promise<DetectedVerify[]> {
  const found: DetectedVerify[] = [];
  for (const name of packages) {
    const own = await detectSetup(join(folder, name));
    const detected = await detectIn(join(folder, name), own.length > 0 ? own : rootSetup);
    if (!detected.some(({ kind }) => kind === 'test')) continue;
    found.push(
      ...detected.map(({ command, kind, from }) => ({
        command: inPackage(name, command),
        kind,
        from: join(name, from),
      })),
    );
  }
  return found;
}

async function detectIn(folder: string, setup: readonly DetectedSetup[]): Promise<readonly DetectedVerify[]> {
  const found = [
    ...(await ofPackageJson(folder, setup)),
    ...(await ofPython(folder, setup)),
    ...(await ofFile(folder, 'go.mod', 'go test -v ./...')),
    ...(await ofFile(folder, 'Cargo.toml', 'cargo test')),
    ...(await ofJava(folder)),
  ];
  // A test target of make mostly calls one of the others.
  return found.some(({ kind }) => kind === 'test') ? found : [...found, ...(await ofMake(folder))];
}

async function ofPackageJson(folder: string, setup: readonly DetectedSetup[]): Promise<DetectedVerify[]> {
  const from = 'package.json';
  const scripts = recordOf(jsonObject(await readPlainFile(join(folder, from)))['scripts']);
  const has = (name: string): boolean => (textIn(scripts[name]) ?? '').trim() !== '';
  const tool = setup.find(({ language }) => language === 'javascript')?.tool.split('-')[0] ?? 'npm';
  const types = TYPE_SCRIPTS.find(has);
  const found: DetectedVerify[] = [];
  if (types) found.push({ command: `${tool} run ${types}`, kind: 'types', from });
  if (has('build')) found.push({ command: `${tool} run build`, kind: 'build', from });
  if (has('test') && !NO_TEST.test(textIn(scripts['test']) ?? '')) {
    // `bun test` would be bun's own runner, not the script.
    found.push({ command: tool === 'bun' ? 'bun run test' : `${tool} test`, kind: 'test', from });
  }
  return found;
}

async function ofPython(folder: string, setup: readonly DetectedSetup[]): Promise<DetectedVerify[]> {
  const from = await pytestSign(folder);
  if (from === null) return [];
  const hasVenv = setup.some((one) => one.folder === '.venv') || (await kindOf(join(folder, '.venv'))) === 'folder';
  return [{ command: `${hasVenv ? '.venv/bin/python' : 'python3'} -m pytest`, kind: 'test', from }];
}

async function pytestSign(folder: string): Promise<string | null> {
  const signs: readonly (readonly [file: string, sign: RegExp])[] = [
    ['pytest.ini', /^/],
    ['conftest.py', /^/],
    ['pyproject.toml', /^\[tool\.pytest[.\]]/m],
    ['setup.cfg', /^\[tool:pytest\]/m],
    ['tox.ini', /^\[pytest\]/m],
  ];
  for (const [file, sign] of signs) {
    const text = await readPlainFile(join(folder, file));
    if (text !== null && sign.test(text)) return file;
  }
  for (const name of ['tests', 'test', '.']) {
    if ((await kindOf(join(folder, name))) !== 'folder') continue;
    const files = await readdir(join(folder, name));
    const test = files.find((file) => PYTHON_TEST_FILE.test(file));
    if (test !== undefined) return join(name, test);
  }
  return null;
}

async function ofJava(folder: string): Promise<DetectedVerify[]> {
  if ((await kindOf(join(folder, 'pom.xml'))) === 'file') {
    const program = (await kindOf(join(folder, 'mvnw'))) === 'file' ? 'sh ./mvnw' : 'mvn';
    // Not -q: a quiet maven does not say how many tests it ran.
    return [{ command: `${program} -B test`, kind: 'test', from: 'pom.xml' }];
  }
  const program = (await kindOf(join(folder, 'gradlew'))) === 'file' ? 'sh ./gradlew' : 'gradle';
  const script = ['build.gradle', 'build.gradle.kts'];
  for (const from of script) {
    const found = await ofFile(folder, from, `${program} --console=plain --offline test`);
    if (found.length > 0) return found;
  }
  return [];
}

async function ofMake(folder: string): Promise<DetectedVerify[]> {
  for (const from of ['GNUmakefile', 'makefile', 'Makefile']) {
    const text = await readPlainFile(join(folder, from));
    if (text !== null) return /^test[ \t]*:(?!=)/m.test(text) ? [{ command: 'make test', kind: 'test', from }] : [];
  }
  return [];
}

async function ofFile(folder: string, from: string, command: string): Promise<DetectedVerify[]> {
  return (await kindOf(join(folder, from))) === 'file' ? [{ command, kind: 'test', from }] : [];
}
