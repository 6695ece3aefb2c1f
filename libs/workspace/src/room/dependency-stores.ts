import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import { removeTree } from '../remove-tree.js';
import { copyTree } from '../setup/bring-in/copy-tree.js';
import { CommandFailed, type OutsideCommands } from '../setup/bring-in/outside-command.js';
import { SCRATCH } from '../setup/bring-in/own-parts.js';
import { isReachedPlainly, jsonObject, kindOf } from '../setup/plain-file.js';
import { HOME_CACHES } from '../setup/home-files.js';

/** What one set-up made, in a folder that no command can write to. */
export interface DependencyStore {
  readonly name: string;
  /** Holds `tree`, with files of the repository's folder, and `home`. */
  readonly folder: string;
  /** The only tree that it holds for; null if the manifests decide alone. */
  readonly tree: string | null;
  /** Made from the base commit: caches in its HOME are no agent's work. */
  readonly isOfBase: boolean;
  /** Folders of dependencies, and other files that set-up made; paths relative to the root. */
  readonly folders: readonly string[];
  readonly loose: readonly string[];
  /** Folders in HOME that tools fill with packages. */
  readonly caches: readonly string[];
  /** Folders of packages that could not be set up. */
  readonly notSetUp: readonly string[];
}

export interface StoreContent extends Pick<DependencyStore, 'tree' | 'isOfBase' | 'folders' | 'loose' | 'notSetUp'> {
  readonly key: string;
  /** Where the files are now. */
  readonly from: { readonly folder: string; readonly home: string };
  /** Folders whose files no agent can write to: these are linked. */
  readonly readOnly: readonly string[];
  /** Folders directly below those that agents can write to: these are copied. */
  readonly writable: readonly string[];
  /** Null: the files are moved. */
  readonly copyWith: OutsideCommands | null;
}

/** Beside the store of the base commit. */
const MOST_STORES = 3;
const PART = '.part-';
const NOTE = 'store.json';

/**
 * Caches in HOME that the room does not need: what was fetched and is installed, builds, and logs. Builds begin with
 * nothing, so that none can come from an agent.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  '.npm/_cacache/',
  '.npm/_logs/',
  '.cache/pip/',
  '.cache/uv/',
  '.cache/yarn/',
  '.cache/pnpm/',
  '.cache/go-build/',
  '.cache/pypoetry/',
  '.local/share/pnpm/store/',
  '.bun/install/cache/',
  '.gradle/daemon/',
  '.composer/cache/',
]);

/** Stores of one project, by the state of its manifests. A store appears whole or not at all. */
export class DependencyStores {
  constructor(private readonly folder: string) {}

  /** The store for these manifests and this tree, if there is one. */
  async find(key: string, tree: string): Promise<DependencyStore | null> {
    for (const name of [key, `${key}-${tree}`]) {
      const store = await this.read(name);
      if (store && (store.tree === null || store.tree === tree)) {
        await utimes(store.folder, new Date(), new Date());
        return store;
      }
    }
    return null;
  }

  async ofBase(): Promise<DependencyStore | null> {
    return (await this.all()).find(({ isOfBase }) => isOfBase) ?? null;
  }

  async add(content: StoreContent): Promise<void> {
    const { key, tree, isOfBase, folders, loose, notSetUp } = content;
    const name = tree === null ? key : `${key}-${tree}`;
    const part = join(this.folder, `${PART}${name}`);
    await this.removeParts();
    await mkdir(part, { recursive: true, mode: 0o700 });
    for (const path of folders) await this.addFolder(part, path, content);
    for (const path of loose) await transfer(join(content.from.folder, path), join(part, 'tree', path), content);
    const caches = await addHome(join(part, 'home'), content);
    const note = { tree, isOfBase, folders, loose, caches, notSetUp };
    await writeFile(join(part, NOTE), JSON.stringify(note), { flush: true });
    await removeTree(join(this.folder, name));
    await rename(part, join(this.folder, name));
    await this.removeOld(name);
  }

  /** Half-made ones that a killed process left. */
  async removeParts(): Promise<void> {
    for (const name of await this.names()) if (name.startsWith(PART)) await removeTree(join(this.folder, name));
  }

  private async addFolder(part: string, path: string, content: StoreContent): Promise<void> {
    const from = join(content.from.folder, path);
    const to = join(part, 'tree', path);
    const scratch = posix.basename(path) === 'node_modules' ? SCRATCH : [];
    if (content.copyWith === null) {
      for (const name of scratch) await removeTree(join(from, name));
      await transfer(from, to, content);
    } else {
      const names = (await readdir(from)).filter((name) => !scratch.includes(name));
      await copyFolder(from, to, names, content, content.copyWith);
    }
    // Mount points of the empty folders that each run has in their place.
    for (const name of scratch) await mkdir(join(to, name), { recursive: true });
  }

  private async removeOld(newest: string): Promise<void> {
    const stores = (await this.all()).filter(({ isOfBase, name }) => !isOfBase && name !== newest);
    const dated = await Promise.all(stores.map(async (store) => ({ store, usedAt: await timeOf(store.folder) })));
    const old = dated.sort((a, b) => b.usedAt - a.usedAt).slice(MOST_STORES - 1);
    for (const { store } of old) await removeTree(store.folder);
  }

  private async all(): Promise<readonly DependencyStore[]> {
    const stores = await Promise.all((await this.names()).map((name) => this.read(name)));
    return stores.filter((store) => store !== null);
  }

  private async names(): Promise<readonly string[]> {
    return (await kindOf(this.folder)) === 'folder' ? readdir(this.folder) : [];
  }

  private async read(name: string): Promise<DependencyStore | null> {
    if (name.startsWith(PART)) return null;
    const folder = join(this.folder, name);
    const text = await readFile(join(folder, NOTE), 'utf8').catch(() => null);
    const { tree, isOfBase, folders, loose, caches, notSetUp = [] } = jsonObject(text);
    if ((tree !== null && typeof tree !== 'string') || typeof isOfBase !== 'boolean') return null;
    if (!areTexts(folders) || !areTexts(loose) || !areTexts(caches) || !areTexts(notSetUp)) return null;
    return { name, folder, tree, isOfBase, folders, loose, caches, notSetUp };
  }
}

const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const timeOf = async (folder: string): Promise<number> => (await stat(folder)).mtimeMs;

async function transfer(from: string, to: string, { copyWith }: StoreContent): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  if (copyWith === null) await rename(from, to);
  else await copyTree(dirname(from), dirname(to), [basename(from)], 'copy', copyWith);
}

async function copyFolder(
  from: string,
  to: string,
  names: readonly string[],
  { readOnly, writable }: StoreContent,
  copyWith: OutsideCommands,
): Promise<void> {
  const isLinked = (name: string): boolean => readOnly.includes(from) && !writable.includes(join(from, name));
  const linked = names.filter(isLinked);
  await copyTree(from, to, linked, 'hard-link', copyWith).catch(async (error: unknown) => {
    if (!(error instanceof CommandFailed)) throw error;
    // Some file cannot have one more name.
    await removeTree(to);
    await copyTree(from, to, linked, 'copy', copyWith);
  });
  const copied = names.filter((name) => !isLinked(name));
  await copyTree(from, to, copied, 'copy', copyWith);
}

/** Answers with the caches that are there. */
async function addHome(to: string, { from: { home }, copyWith }: StoreContent): Promise<readonly string[]> {
  if ((await kindOf(home)) !== 'folder') await mkdir(to);
  else if (copyWith !== null) await copyHome(home, to, '', copyWith);
  else {
    await rename(home, to);
    for (const path of LEFT_OUT) if (await isReachedPlainly(to, path)) await removeTree(join(to, path));
  }
  const caches: string[] = [];
  for (const path of HOME_CACHES.map((one) => one.slice(0, -1))) {
    if ((await isReachedPlainly(to, path)) && (await kindOf(join(to, path))) === 'folder') caches.push(path);
  }
  return caches;
}

async function copyHome(from: string, to: string, within: string, copyWith: OutsideCommands): Promise<void> {
  const names = await readdir(join(from, within));
  const pathOf = (name: string): string => `${within}${name}/`;
  const isApart = (name: string): boolean => [...LEFT_OUT].some((path) => path.startsWith(pathOf(name)));
  const whole = names.filter((name) => !isApart(name));
  await copyTree(join(from, within), join(to, within), whole, 'copy', copyWith);
  for (const name of names.filter(isApart)) {
    if (LEFT_OUT.has(pathOf(name)) || (await kindOf(join(from, within, name))) !== 'folder') continue;
    await copyHome(from, to, pathOf(name), copyWith);
  }
}
