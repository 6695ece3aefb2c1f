import { homedir } from 'node:os';
import { mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { removeTree } from '../remove-tree.js';
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
  /** Names of settings that hold a password, and were left out for that. */
  readonly leftOut: readonly string[];
}

/** Settings of npm that say where packages are and how they are reached. Tokens and passwords are not among them. */
const NPM_KEYS =
  /^(?:@[\w.-]+:)?registry$|^(?:cafile|ca|proxy|https-proxy|noproxy|strict-ssl|nodedir|maxsockets|fetch-[a-z-]+)$/;

/** Variables that say the same to the tools of all languages. */
export const REGISTRY_VARIABLES: readonly string[] = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE', 'GIT_SSL_CAINFO'],
  ...['PIP_INDEX_URL', 'PIP_EXTRA_INDEX_URL', 'PIP_CERT', 'PIP_TRUSTED_HOST', 'PIP_FIND_LINKS', 'UV_DEFAULT_INDEX'],
  ...['UV_INDEX_URL', 'UV_NATIVE_TLS', 'GOPROXY', 'GONOSUMDB', 'GOSUMDB', 'GONOPROXY', 'CARGO_HTTP_CAINFO'],
  ...['YARN_NPM_REGISTRY_SERVER', 'YARN_HTTPS_CA_FILE_PATH'],
];

/** User and password in an address. */
const HAS_PASSWORD = /:\/\/[^\s/@]*@/;
const MOST_VALUE = 4_096;

/** `environment` is that of the service; the settings of its user, in the home folder, hold on this machine. */
export async function registrySettings(
  outside: OutsideCommands,
  environment: Readonly<Record<string, string | undefined>>,
  forPython: boolean,
): Promise<RegistrySettings> {
  const leftOut: string[] = [];
  const isFit = (name: string, value: string): boolean => {
    if (HAS_PASSWORD.test(value)) leftOut.push(name);
    return value !== '' && value.length <= MOST_VALUE && !HAS_PASSWORD.test(value);
  };
  const given = REGISTRY_VARIABLES.map((name) => [name, environment[name] ?? ''] as const);
  const here = given.filter(([name, value]) => isFit(name, value));
  const own = { ...Object.fromEntries(here), HOME: homedir() };
  const pip = forPython ? (await pipSettings(outside, own)).filter(([name, value]) => isFit(name, value)) : [];
  // What the environment says is stronger, for pip too.
  const env = [...pip, ...here];
  const npm = Object.entries(await npmSettings(outside, own))
    .filter(([key]) => NPM_KEYS.test(key))
    .flatMap(([key, value]) => npmLines(key, value))
    .filter(([key, value]) => isFit(key, value));
  const named = [...new Set([...env, ...npm].flatMap(([, value]) => pathsIn(value)))];
  const isShown = await Promise.all(named.map(mayBeShown));
  return {
    env: Object.fromEntries(env),
    npmrc: npm.map(([key, value]) => `${key}=${value}\n`).join(''),
    readable: named.filter((_, nth) => isShown[nth]),
    leftOut,
  };
}

/** Files and folders of this machine that a setting names: certificates, packages that lie here. */
const pathsIn = (value: string): string[] =>
  value.split(/\s+/).flatMap((one) => {
    if (isAbsolute(one)) return [one];
    if (!one.startsWith('file:///')) return [];
    // The pages of an index point to files beside it.
    return [one.slice(7).replace(/\/simple\/?$/, '') || '/'];
  });

/** What is there, and is neither the whole machine nor a whole home folder. */
async function mayBeShown(path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => null);
  return real !== null && real !== '/' && !`${homedir()}/`.startsWith(`${real}/`);
}

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
