import { constants } from 'node:fs';
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { removeTree } from '../remove-tree.js';
import { copyTree } from '../setup/bring-in/copy-tree.js';
import type { OutsideCommands } from '../setup/bring-in/outside-command.js';
import { isReachedPlainly, jsonObject, kindOf, recordOf, textIn } from '../setup/plain-file.js';
import type { DependencyStore } from './dependency-stores.js';
import { removeOthers } from './remove-others.js';
import { fingerprint } from './fingerprint.js';

/** Copies from a store that are in the room; they stay from run to run as long as no run changes them. */
export interface PlacedNote {
  /** The store that they are from, and the tree that they were last beside. */
  readonly store: string | null;
  readonly tree: string | null;
  /** A run had to write to its dependencies: they are copied from then on, and not mounted. */
  readonly isOwn: boolean;
  /** By path from the room's folder: what a copy looked like right after it was made. */
  readonly prints: Readonly<Record<string, string>>;
}

interface Copy {
  readonly source: string;
  /** From the room's folder. */
  readonly path: string;
}

/** The copies of one room. Its note names a copy only while that is complete. */
export class PlacedFiles {
  private readonly file: string;

  /** `tree` and `home` are names of folders in `folder`. */
  constructor(
    private readonly folder: string,
    private readonly names: { readonly tree: string; readonly home: string },
  ) {
    this.file = join(folder, 'placed.json');
  }

  async read(): Promise<PlacedNote> {
    const { store, tree, isOwn, prints } = jsonObject(await readFile(this.file, 'utf8').catch(() => null));
    const known = Object.entries(recordOf(prints)).filter((one): one is [string, string] => typeof one[1] === 'string');
    return {
      store: textIn(store),
      tree: textIn(tree),
      isOwn: isOwn === true,
      prints: Object.fromEntries(known),
    };
  }

  async write(note: PlacedNote): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(`${this.file}.part`, JSON.stringify(note));
    await rename(`${this.file}.part`, this.file);
  }

  /** The note without copies that were changed since. */
  async unchanged(): Promise<PlacedNote> {
    const note = await this.read();
    const prints: Record<string, string> = {};
    for (const [path, print] of Object.entries(note.prints)) {
      if ((await fingerprint(join(this.folder, path))) === print) prints[path] = print;
    }
    return { ...note, prints };
  }

  /** Paths of copies in the tree, relative to its root. */
  inTree({ prints }: PlacedNote): readonly string[] {
    const start = `${this.names.tree}/`;
    return Object.keys(prints).flatMap((path) => (path.startsWith(start) ? [path.slice(start.length)] : []));
  }

  /** The HOME of the room as set-up left it, without the caches that are mounted. */
  async resetHome(store: DependencyStore | null, { prints }: PlacedNote): Promise<void> {
    const home = join(this.folder, this.names.home);
    const kept = Object.keys(prints).filter((path) => path.startsWith(`${this.names.home}/`));
    if (kept.length === 0) await removeTree(home);
    else await removeOthers(this.folder, this.names.home, kept);
    await mkdir(home, { recursive: true, mode: 0o700 });
    if (store === null) return;
    const from = join(store.folder, 'home');
    const caches = new Set(store.caches.map((path) => join(from, path)));
    const filter = (source: string): boolean => !caches.has(source);
    const mode = constants.COPYFILE_FICLONE;
    await cp(from, home, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, mode, filter });
  }

  /**
   * Puts the copies there that the store has and the room has not. What the tree itself has stays as it is. A copy that
   * is cut off is in no note, or in an old one that it does not match.
   */
  async place(store: DependencyStore, note: PlacedNote, tree: string, outside: OutsideCommands): Promise<void> {
    const prints: Record<string, string> = { ...note.prints };
    for (const { source, path } of this.copiesOf(store, note.isOwn)) {
      const target = join(this.folder, path);
      if (path in prints || !(await isReachedPlainly(this.folder, path)) || (await kindOf(target)) !== null) continue;
      await copyOne(source, target, outside);
      prints[path] = await fingerprint(target);
    }
    const isSame = note.store === store.name && note.tree === tree && isDeepStrictEqual(prints, note.prints);
    if (!isSame) await this.write({ ...note, store: store.name, tree, prints });
  }

  private copiesOf(store: DependencyStore, isOwn: boolean): readonly Copy[] {
    const { tree, home } = this.names;
    const inTree = (path: string): Copy => ({ source: join(store.folder, 'tree', path), path: `${tree}/${path}` });
    const inHome = (path: string): Copy => ({ source: join(store.folder, 'home', path), path: `${home}/${path}` });
    const loose = store.loose.map(inTree);
    return isOwn ? [...loose, ...store.folders.map(inTree), ...store.caches.map(inHome)] : loose;
  }
}

/** Its name in the store is the same as in the room. */
async function copyOne(source: string, target: string, outside: OutsideCommands): Promise<void> {
  const name = target.slice(dirname(target).length + 1);
  await copyTree(dirname(source), dirname(target), [name], 'copy', outside);
}
