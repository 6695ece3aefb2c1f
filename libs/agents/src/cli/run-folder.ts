import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sweepByPid } from '../proxy/socket-folder.js';

const NAME = /^cli-(\d+)-/;

/** What one run of a CLI has to itself: a HOME, its prompt, its configuration. Gone afterwards, however it ended. */
export class RunFolder {
  private constructor(readonly path: string) {}

  static async open(parent: string): Promise<RunFolder> {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await sweepByPid(parent, NAME);
    const folder = new RunFolder(await mkdtemp(join(parent, `cli-${String(process.pid)}-`)));
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

  async remove(): Promise<void> {
    try {
      await rm(this.path, { recursive: true, force: true });
    } catch {
      // A CLI may leave folders that even their owner cannot enter.
      await openUp(this.path);
      await rm(this.path, { recursive: true, force: true });
    }
  }
}

async function openUp(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await openUp(join(folder, entry.name));
  }
}
