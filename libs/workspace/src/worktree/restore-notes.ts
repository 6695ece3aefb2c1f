import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '#kernel';

/** Files that are being put back to an earlier checkpoint, whose state is committed after them. */
export interface RestoreNote {
  /** All files as they were before. */
  readonly kept: string;
  /** The commit that they go back to. */
  readonly target: string;
  /** The one that the project begins with this restore: it has begun exactly where the state has followed. */
  readonly incarnation: number;
  /** Commits of what was found in the worktree when the restore, cut off, was taken back, and is in neither of those. */
  readonly since: readonly string[];
  /** It was taken back, and that is still to be told. */
  readonly isUndone: boolean;
}

/** Of one that does not say which restore it is of, the state is taken to have followed. */
const UNSAID = { incarnation: 0, since: [], isUndone: false };

/** Kept outside of the repository from before the first file is touched until the state has followed. */
export class RestoreNotes {
  constructor(private readonly folder: string) {}

  async read(projectId: string): Promise<RestoreNote | null> {
    try {
      return { ...UNSAID, ...(JSON.parse(await readFile(this.fileOf(projectId), 'utf8')) as RestoreNote) };
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  async write(projectId: string, note: RestoreNote): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = this.fileOf(projectId);
    await writeFile(`${file}.new`, JSON.stringify(note), { flush: true });
    await rename(`${file}.new`, file);
  }

  async drop(projectId: string): Promise<void> {
    await rm(this.fileOf(projectId), { force: true });
  }

  private fileOf(projectId: string): string {
    return join(this.folder, projectId);
  }
}
