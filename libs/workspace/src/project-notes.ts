import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '#kernel';

const UNFINISHED = '.new';

/** What is under way with the files of projects, kept outside of their repositories: one note a project, or none. */
export class ProjectNotes<T extends object> {
  constructor(private readonly folder: string) {}

  async read(projectId: string): Promise<T | null> {
    try {
      return JSON.parse(await readFile(this.fileOf(projectId), 'utf8')) as T;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  async write(projectId: string, note: T): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = this.fileOf(projectId);
    await writeFile(`${file}${UNFINISHED}`, JSON.stringify(note), { flush: true });
    await rename(`${file}${UNFINISHED}`, file);
  }

  async drop(projectId: string): Promise<void> {
    await rm(this.fileOf(projectId), { force: true });
  }

  /** The projects that have one. */
  async projects(): Promise<readonly string[]> {
    const names = await readdir(this.folder).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    });
    return names.filter((name) => !name.endsWith(UNFINISHED));
  }

  private fileOf(projectId: string): string {
    return join(this.folder, projectId);
  }
}
