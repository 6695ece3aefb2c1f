import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newMarkedFolder, removeTree, sweepLeftFolders } from '#workspace';

const PREFIX = 'cli-';

/** What one run of a CLI has to itself: a HOME, its prompt, its configuration. Gone afterwards, however it ended. */
export class RunFolder {
  private constructor(readonly path: string) {}

  static async open(parent: string): Promise<RunFolder> {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await sweepLeftFolders(parent, PREFIX);
    const folder = new RunFolder(await newMarkedFolder(parent, PREFIX));
    await mkdir(folder.home, { mode: 0o700 });
    return folder;
  }

  get home(): string {
    return join(this.path, 'home');
  }

  async write(name: string, text: string): Promise<string> {
    const file = join(this.path, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, text, { mode: 0o600 });
    return file;
  }

  /** A CLI may leave folders that even their owner cannot enter. */
  remove(): Promise<void> {
    return removeTree(this.path);
  }
}
