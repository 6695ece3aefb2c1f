import { join } from 'node:path';
import { detectSetup } from '../setup/detect-setup.js';
import { detectPackageSetups } from '../setup/package-setups.js';
import { packageFolders } from '../setup/javascript-packages.js';
import { jsonObject, kindOf, readPlainFile, recordOf, textIn } from '../setup/plain-file.js';
import { planSetup } from '../setup/plan-setup.js';

const LIFECYCLE = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];

const LONGEST_HOOK_SCRIPT = 200;
/** Installers of git hooks. They make nothing that tests see. */
const HOOKS =
  /^(?:(?:npx\s+)?(?:is-ci|husky(?:\s+install)?|simple-git-hooks|lefthook\s+install|pre-commit\s+install|true|exit 0)(?:\s+\|\|\s+|\s*&&\s*|\s*;\s*|$))+$/;

/** A path of the repository itself that pip copies into the environment. */
const LOCAL_PACKAGE = /^(?:\.{1,2}(?:[/[\s;]|$)|file:)/m;

/**
 * Whether the commands of set-up may build from the sources: a command that only installs what the lock file names does
 * not. Its result then holds for one tree only.
 */
export async function buildsFromSources(folder: string, given: readonly string[] | null): Promise<boolean> {
  if (await buildsIn(folder, given)) return true;
  const packages = given === null ? await packagesOf(folder) : [];
  return (await Promise.all(packages.map((one) => buildsIn(one, null)))).includes(true);
}

const packagesOf = async (root: string): Promise<readonly string[]> => [
  ...new Set((await detectPackageSetups(root)).map((one) => join(root, one.package))),
];

async function buildsIn(folder: string, given: readonly string[] | null): Promise<boolean> {
  const detected = await detectSetup(folder);
  const { steps } = await planSetup(detected, given, folder);
  const installs = detected.map(({ command }) => command);
  if (steps.some(({ command, replaces }) => replaces === null && !installs.includes(command))) return true;
  const languages = detected.map(({ language }) => language);
  if (languages.includes('javascript') && (await hasLifecycleScripts(folder))) return true;
  return languages.includes('python') && (await installsLocalPackage(folder));
}

async function hasLifecycleScripts(folder: string): Promise<boolean> {
  for (const one of await packageFolders(folder)) {
    const scripts = recordOf(jsonObject(await readPlainFile(join(folder, one, 'package.json')))['scripts']);
    const texts = LIFECYCLE.map((name) => (textIn(scripts[name]) ?? '').trim());
    if (texts.some((text) => text !== '' && !installsHooks(text))) return true;
  }
  return false;
}

const installsHooks = (script: string): boolean => script.length <= LONGEST_HOOK_SCRIPT && HOOKS.test(script);

async function installsLocalPackage(folder: string): Promise<boolean> {
  const files = ['requirements.txt', 'requirements-dev.txt', 'requirements-test.txt'];
  const texts = await Promise.all(files.map((name) => readPlainFile(join(folder, name))));
  return texts.some((text) => text !== null && LOCAL_PACKAGE.test(text));
}

/**
 * Whether set-up runs code of the repository that no manifest names: tests (maven), build scripts, build backends. What
 * an agent's commit does there must not reach the set-up of another commit.
 */
export async function runsRepositoryCode(folder: string): Promise<boolean> {
  const folders = [folder, ...(await packagesOf(folder))];
  return (await Promise.all(folders.map(runsCodeIn))).includes(true);
}

async function runsCodeIn(folder: string): Promise<boolean> {
  const languages = (await detectSetup(folder)).map(({ language }) => language);
  if (languages.includes('java')) return true;
  if (!languages.includes('python')) return false;
  const kinds = await Promise.all(['pyproject.toml', 'setup.py'].map((name) => kindOf(join(folder, name))));
  return kinds.some((kind) => kind !== null);
}
