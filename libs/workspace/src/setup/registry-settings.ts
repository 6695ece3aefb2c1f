import { homedir } from 'node:os';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { removeTree } from '../remove-tree.js';
import { holdsTooMuch, isWithin, realPathOf } from '../sandbox/sandbox-paths.js';
import { type OutsideCommands, CommandFailed, runOutside } from './bring-in/outside-command.js';
import { pipSettings } from './pip-settings.js';
import { jsonObject } from './plain-file.js';

/** How set-up commands reach package registries: as this machine does, without anybody's keys. */
export interface RegistrySettings {
  readonly env: Readonly<Record<string, string>>;
  /** Of the .npmrc in the HOME of the commands. */
  readonly npmrc: string;
  /** Files that the settings name, such as certificates. */
  readonly readable: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

/** A setting that commands have to do without. */
export interface LeftOut {
  readonly name: string;
  readonly why: string;
}

/** Settings of npm that say where packages are and how they are reached. Tokens and passwords are not among them. */
const NPM_KEYS =
  /^(?:@[\w.-]+:)?registry$|^(?:cafile|ca|proxy|https-proxy|noproxy|strict-ssl|nodedir|maxsockets|fetch-[a-z-]+)$/;

/** User and password in an address. */
const HAS_PASSWORD = /:\/\/[^\s/@]*@/;
const MOST_VALUE = 4_096;

export interface RegistryWish {
  /** Of the service's own environment, those that say the same to the tools of all languages. */
  readonly networkVariables: Readonly<Record<string, string>>;
  readonly forPython: boolean;
  /** What no command may see. */
  readonly hidden: readonly string[];
}

/** The settings of the service's user, in the home folder, hold on this machine. */
export async function registrySettings(outside: OutsideCommands, wish: RegistryWish): Promise<RegistrySettings> {
  const hidden = wish.hidden.map((folder) => realPathOf(folder) ?? folder);
  const leftOut: LeftOut[] = [];
  const isFit = ([name, value]: readonly [string, string]): boolean => {
    const why = whyLeftOut(value, hidden);
    if (why !== null) leftOut.push({ name, why });
    return value !== '' && value.length <= MOST_VALUE && why === null;
  };
  const here = Object.entries(wish.networkVariables).filter(isFit);
  const own = { ...Object.fromEntries(here), HOME: homedir() };
  const pip = wish.forPython ? (await pipSettings(outside, own)).filter(isFit) : [];
  // What the environment says is stronger, for pip too.
  const env = [...pip, ...here];
  const npm = Object.entries(await npmSettings(outside, own))
    .filter(([key]) => NPM_KEYS.test(key))
    .flatMap(([key, value]) => npmLines(key, value))
    .filter(isFit);
  const named = [...new Set([...env, ...npm].flatMap(([, value]) => pathsIn(value)))];
  return {
    env: Object.fromEntries(env),
    npmrc: npm.map(([key, value]) => `${key}=${value}\n`).join(''),
    readable: named.filter((path) => realPathOf(path) !== null),
    leftOut,
  };
}

function whyLeftOut(value: string, hidden: readonly string[]): string | null {
  if (HAS_PASSWORD.test(value)) return 'it holds a password';
  const isSecret = (real: string): boolean =>
    holdsTooMuch(real, hidden) || hidden.some((folder) => isWithin(real, folder));
  const real = pathsIn(value).flatMap((path) => realPathOf(path) ?? []);
  return real.some(isSecret) ? 'it names files that no command may see' : null;
}

/** Files and folders of this machine that a setting names: certificates, packages that lie here. */
const pathsIn = (value: string): string[] =>
  value.split(/\s+/).flatMap((one) => {
    if (isAbsolute(one)) return [one];
    if (!one.startsWith('file:///')) return [];
    // The pages of an index point to files beside it.
    return [one.slice(7).replace(/\/simple\/?$/, '') || '/'];
  });

/** npm itself puts its settings together, from all of its files; what it protects it does not print. */
async function npmSettings(
  outside: OutsideCommands,
  env: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const args = ['config', 'list', '--json'];
    const text = await runOutside(outside, { file: 'npm', args, cwd: '/', purpose: 'read npm settings', env });
    return jsonObject(text);
  } catch (error) {
    // A machine without npm: there is nothing to pass on.
    if (error instanceof CommandFailed) return {};
    throw error;
  }
}

/** One line, or one per item; values that would be more than that, or that npm would read as something else, are none. */
function npmLines(key: string, value: unknown): (readonly [string, string])[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => npmLines(`${key}[]`, item));
  if (typeof value === 'number' || typeof value === 'boolean') return [[key, String(value)]];
  if (typeof value !== 'string' || /[\r\n]|\$\{/.test(value)) return [];
  return [[key, value]];
}

/** Puts the settings where the commands of a worktree look for them. They may have put a link there. */
export async function writeNpmrc(home: string, { npmrc }: Pick<RegistrySettings, 'npmrc'>): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const part = join(home, '.npmrc.part');
  await removeTree(part);
  await writeFile(part, npmrc, { mode: 0o600, flag: 'wx' });
  await rename(part, join(home, '.npmrc'));
}
