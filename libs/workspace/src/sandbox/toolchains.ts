import { existsSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { holdsHomes, homeOf, isBelow, isPlain, isWithin, realPathOf } from './sandbox-paths.js';

/** Bound whole anyway. */
export const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'] as const;

/** Where each folder holds one installed product, programs in its `bin`. */
const PRODUCT_FOLDERS = ['/opt', '/snap'];
/** Bound whole where a program lies in it. */
const STORES = ['/nix/store', '/gnu/store', join('/home', 'linuxbrew', '.linuxbrew')];

/**
 * What toolchains of a user keep in the home folder, as far as it holds no keys; with the variable that points there,
 * where the toolchain would look for it in HOME. Of everything else on PATH only the folder itself is shown.
 */
const HOME_TOOLCHAINS: readonly (readonly [folder: string, variable?: string])[] = [
  ['.pyenv'],
  ['.rbenv'],
  ['.nodenv'],
  ['.nvm'],
  ['.fnm'],
  ['.volta', 'VOLTA_HOME'],
  ['.asdf', 'ASDF_DATA_DIR'],
  ['.sdkman/candidates'],
  ['.rustup', 'RUSTUP_HOME'],
  ['.dotnet', 'DOTNET_ROOT'],
  ['.ghcup'],
  ['.local/share/mise', 'MISE_DATA_DIR'],
  ['.local/share/fnm'],
  ['.local/share/uv/python'],
  ['.local/share/uv/tools'],
];

/** Programs that need a toolchain which lies in another folder. Beside both lie keys. */
const NEEDED: readonly (readonly [programs: string, toolchain: string])[] = [
  ['.cargo/bin', '.rustup'],
  ['.local/share/uv/tools', '.local/share/uv/python'],
];

export interface Toolchains {
  /** PATH inside. */
  readonly path: string;
  /** Folders to be seen inside, read-only. */
  readonly folders: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The programs of the machine that commands may use: what is on PATH, and never a repository or a hidden folder. */
export function toolchainsOn(path: string, hidden: readonly string[]): Toolchains {
  const entries: string[] = [];
  const folders = new Set<string>();
  const env: Record<string, string> = {};
  const isHidden = (folder: string): boolean => hidden.some((one) => isWithin(folder, one) || isWithin(one, folder));
  for (const entry of path.split(delimiter)) {
    const real = isAbsolute(entry) ? realPathOf(entry) : null;
    if (real === null || !isPlain(real, 'folder')) continue;
    if (SYSTEM_FOLDERS.some((folder) => isWithin(real, folder))) {
      entries.push(entry);
      continue;
    }
    const found = homeOf(real) === null ? ofMachine(real) : ofHome(real);
    if (!found || found.folders.some((folder) => isHidden(folder))) continue;
    entries.push(real);
    for (const folder of found.folders) folders.add(folder);
    Object.assign(env, found.env);
  }
  return { path: [...new Set(entries)].join(delimiter), folders: [...folders], env };
}

type Found = Pick<Toolchains, 'folders' | 'env'> | null;

function ofMachine(bin: string): Found {
  const store = STORES.find((folder) => isWithin(bin, folder));
  if (store !== undefined) return { folders: [store], env: {} };
  const product = PRODUCT_FOLDERS.map((folder) => new RegExp(`^${folder}/[^/]+`).exec(bin)?.[0]).find(Boolean);
  if (product !== undefined) return { folders: [product === bin ? bin : product], env: {} };
  return holdsHomes(bin) || isOfRepository(bin) ? null : { folders: [bin], env: {} };
}

function ofHome(bin: string): Found {
  const home = homeOf(bin) ?? '';
  const store = STORES.find((folder) => isWithin(bin, folder));
  if (store !== undefined) return { folders: [store], env: {} };
  const needed = NEEDED.filter(([programs]) => isWithin(bin, join(home, programs))).map(([, toolchain]) => toolchain);
  const named = HOME_TOOLCHAINS.filter(([folder]) => isWithin(bin, join(home, folder)) || needed.includes(folder));
  const folders = named.map(([folder]) => join(home, folder)).filter((folder) => isPlain(folder, 'folder'));
  const env = named.flatMap(([folder, variable]) => (variable === undefined ? [] : [[variable, join(home, folder)]]));
  if (!folders.some((folder) => isWithin(bin, folder))) {
    if (bin === home || isOfRepository(bin, home)) return null;
    folders.push(bin);
  }
  return { folders, env: Object.fromEntries(env) as Record<string, string> };
}

/** Programs that a checkout brings along are of that repository: another one has no business with them. */
function isOfRepository(folder: string, below = '/'): boolean {
  if (folder.split('/').includes('node_modules')) return true;
  for (let at = folder; at !== dirname(at) && isBelow(at, below); at = dirname(at))
    if (existsSync(join(at, '.git'))) return true;
  return false;
}
