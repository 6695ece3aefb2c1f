import { lstat, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, type Json } from '#kernel';
import { removeTree } from './remove-tree.js';
import type { BroughtIn, WorkPlace } from './setup/index.js';
import type { Worktree } from './worktree/index.js';
import { realFolder } from './worktree/real-folder.js';

/** What set-up left behind for later commands of the same worktree. */
export interface PlaceNote {
  readonly place: WorkPlace;
  readonly broughtIn: readonly BroughtIn[];
}

interface Kept extends PlaceNote {
  readonly made: string;
}

/**
 * Notes about set-up worktrees, beside their HOME folders. A note counts for the very folder that it was made for: one
 * that was made again under the same name has no dependencies, whatever its note says. One that cannot be read is none.
 */
export class PlaceNotes {
  private readonly folder: string;
  private readonly entered = new Set<string>();

  constructor(folder: string) {
    this.folder = realFolder(folder);
  }

  homeOf({ projectId }: Pick<Worktree, 'projectId'>): string {
    return join(this.folder, projectId, 'home');
  }

  async read(worktree: Worktree): Promise<PlaceNote | null> {
    try {
      const kept: unknown = JSON.parse(await readFile(this.fileOf(worktree), 'utf8'));
      if (!isWhole(kept) || kept.made !== (await birthOf(worktree.folder))) return null;
      const { folder, home } = kept.place;
      return folder === worktree.folder && home === this.homeOf(worktree) ? kept : null;
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return null;
      throw error;
    }
  }

  /** On the disk when it returns: without its note nobody knows which files of a worktree are the user's own. */
  async write(worktree: Worktree, note: PlaceNote): Promise<void> {
    const folder = join(this.folder, worktree.projectId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const kept = { ...note, made: await birthOf(worktree.folder) } as unknown as Json;
    const part = `${this.fileOf(worktree)}.part`;
    await writeFile(part, JSON.stringify(kept), { mode: 0o600, flush: true });
    await rename(part, this.fileOf(worktree));
    await flushFolder(folder);
  }

  async drop(worktree: Pick<Worktree, 'projectId'>): Promise<void> {
    await rm(this.fileOf(worktree), { force: true });
  }

  async forget({ projectId }: Pick<Worktree, 'projectId'>): Promise<void> {
    this.entered.delete(projectId);
    await removeTree(join(this.folder, projectId));
  }

  /** Whether an agent or a verify command may have been in the worktree or its HOME. */
  async wasEntered({ projectId }: Pick<Worktree, 'projectId'>): Promise<boolean> {
    if (this.entered.has(projectId)) return true;
    const file = await lstat(this.enteredFile(projectId)).catch(() => null);
    return file !== null;
  }

  async markEntered({ projectId }: Pick<Worktree, 'projectId'>): Promise<void> {
    if (this.entered.has(projectId)) return;
    await mkdir(join(this.folder, projectId), { recursive: true, mode: 0o700 });
    await writeFile(this.enteredFile(projectId), '', { flush: true });
    this.entered.add(projectId);
  }

  private enteredFile(projectId: string): string {
    return join(this.folder, projectId, 'entered');
  }

  private fileOf({ projectId }: Pick<Worktree, 'projectId'>): string {
    return join(this.folder, projectId, 'place.json');
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const areLists = (value: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(value['readOnly']) && Array.isArray(value['writable']);

function isWhole(kept: unknown): kept is Kept {
  if (!isObject(kept) || !isObject(kept['place']) || !areLists(kept['place'])) return false;
  const { broughtIn } = kept;
  return Array.isArray(broughtIn) && broughtIn.every((one) => isObject(one) && areLists(one));
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Tells a folder from another one of the same name. */
async function birthOf(folder: string): Promise<string> {
  const { ino, birthtimeNs } = await lstat(folder, { bigint: true });
  return `${String(ino)}:${String(birthtimeNs)}`;
}
