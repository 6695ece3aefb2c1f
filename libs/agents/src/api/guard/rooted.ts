import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { ToolRefusal } from '../tools/refusal.js';
import { refusalOf } from './file-faults.js';

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Runs one step on the file system: what the file system says against it is told to the model, with the path. */
export async function asked<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw refusalOf(error, path) ?? error;
  }
}

/**
 * A folder of the worktree, held open. Its entries are reached through the handle, so whatever becomes of the path to
 * it meanwhile (a command may swap a folder for a symlink) an entry of this very folder is meant.
 */
export class OpenFolder {
  constructor(
    private readonly handle: FileHandle,
    readonly path: string,
  ) {}

  /** What the kernel is asked for to get the entry: one step below the open folder, which no swap can turn elsewhere. */
  at(name: string): string {
    return `/proc/self/fd/${String(this.handle.fd)}/${name}`;
  }

  get itself(): string {
    return `/proc/self/fd/${String(this.handle.fd)}`;
  }

  pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}/${name}`;
  }

  async enter(name: string): Promise<OpenFolder> {
    const path = this.pathOf(name);
    return new OpenFolder(await asked(path, () => open(this.at(name), FOLDER)), path);
  }

  async make(name: string): Promise<void> {
    try {
      await mkdir(this.at(name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
      throw refusalOf(error, this.pathOf(name)) ?? error;
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** Walks down to a folder name by name, never through a symlink, and holds it open while `use` runs. */
export async function inFolder<T>(
  root: string,
  names: readonly string[],
  use: (folder: OpenFolder) => Promise<T>,
  { makes = false } = {},
): Promise<T> {
  let here = new OpenFolder(await open(root, FOLDER), '');
  try {
    for (const name of names) {
      const next = await entered(here, name, makes);
      await here.close();
      here = next;
    }
    return await use(here);
  } finally {
    await here.close();
  }
}

async function entered(folder: OpenFolder, name: string, makes: boolean): Promise<OpenFolder> {
  if (!makes) return folder.enter(name);
  await folder.make(name);
  return folder.enter(name);
}

/** The folder that a path's last name is in, and that name. */
export function apart(names: readonly string[]): { readonly folder: readonly string[]; readonly name: string } {
  const name = names.at(-1);
  if (name === undefined) throw new ToolRefusal('the path names the worktree itself, not a file in it');
  return { folder: names.slice(0, -1), name };
}
