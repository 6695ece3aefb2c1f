import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, type Json } from '#kernel';
import type { BroughtIn, WorkPlace } from './setup/index.js';
import type { Worktree } from './worktree/index.js';

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
 * that was made again under the same name has no dependencies, whatever its note says.
 */
export class PlaceNotes {
  constructor(private readonly folder: string) {}

  homeOf({ projectId }: Pick<Worktree, 'projectId'>): string {
    return join(this.folder, projectId, 'home');
  }

  async read(worktree: Worktree): Promise<PlaceNote | null> {
    try {
      const kept = JSON.parse(await readFile(this.fileOf(worktree), 'utf8')) as Kept;
      return kept.made === (await birthOf(worktree.folder)) ? kept : null;
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return null;
      throw error;
    }
  }

  async write(worktree: Worktree, note: PlaceNote): Promise<void> {
    await mkdir(join(this.folder, worktree.projectId), { recursive: true, mode: 0o700 });
    const kept = { ...note, made: await birthOf(worktree.folder) } as unknown as Json;
    const part = `${this.fileOf(worktree)}.part`;
    await writeFile(part, JSON.stringify(kept), { mode: 0o600 });
    await rename(part, this.fileOf(worktree));
  }

  async forget({ projectId }: Pick<Worktree, 'projectId'>): Promise<void> {
    await rm(join(this.folder, projectId), { recursive: true, force: true });
  }

  private fileOf({ projectId }: Pick<Worktree, 'projectId'>): string {
    return join(this.folder, projectId, 'place.json');
  }
}

/** Tells a folder from another one of the same name. */
async function birthOf(folder: string): Promise<string> {
  const { ino, birthtimeNs } = await lstat(folder, { bigint: true });
  return `${String(ino)}:${String(birthtimeNs)}`;
}
