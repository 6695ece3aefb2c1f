import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, WorldError } from '#kernel';
import { markOf } from './process-mark.js';

/**
 * Which process works in a worktree: the one that opened it last. One that stood still past its lease, while another
 * took its project over, finds that out here before it touches a file, not only when it next asks the database.
 */
export class Holders {
  constructor(private readonly folder: string) {}

  async take(projectId: string): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(this.fileOf(projectId), markOf(projectId));
  }

  /** Whether there was one: from now on it is this process, and the other one changes nothing any more. */
  async replace(projectId: string): Promise<boolean> {
    const hadHolder = (await this.holderOf(projectId)) !== null;
    if (hadHolder) await this.take(projectId);
    return hadHolder;
  }

  /** Whether it is this process. */
  async isHeld(projectId: string): Promise<boolean> {
    return (await this.holderOf(projectId)) === markOf(projectId);
  }

  async mustHold(projectId: string): Promise<void> {
    const holder = await this.holderOf(projectId);
    if (holder === null || holder === markOf(projectId)) return;
    throw new WorldError('WORKTREE_TAKEN', 'another process works in this worktree now', { projectId });
  }

  async forget(projectId: string): Promise<void> {
    await rm(this.fileOf(projectId), { force: true });
  }

  private holderOf(projectId: string): Promise<string | null> {
    return readFile(this.fileOf(projectId), 'utf8').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    });
  }

  private fileOf(projectId: string): string {
    return join(this.folder, projectId);
  }
}
