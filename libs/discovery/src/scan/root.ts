import { constants, type Dirent } from 'node:fs';
import { lstat, open, opendir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Diagnostic } from '#contracts';
import { errorCode, errorMessage } from '#kernel';
import { byText } from '../found.js';
import { cleanText } from '../files/fields.js';

const MOST_FILES = 2_000;
const MOST_ENTRIES = 20_000;
const MOST_DIAGNOSTICS = 1_000;
/** Far more than a search takes; a repository may be made to take longer. */
const MOST_MS = 20_000;
export const MOST_FILE_BYTES = 256 * 1024;
const ABSENT = ['ENOENT', 'ENOTDIR'];

export interface Entry {
  readonly name: string;
  /** Where it is in truth, links followed. */
  readonly real: string;
  readonly isFolder: boolean;
}

/**
 * A folder that is searched. Nothing outside of it is read, whatever its links say; a search of it ends after a bound
 * of files, folder entries and time; nothing in it is looked at twice, so that links in a circle end too.
 */
export class Root {
  readonly diagnostics: Diagnostic[] = [];
  private readonly seen = new Set<string>();
  private filesLeft = MOST_FILES;
  private entriesLeft = MOST_ENTRIES;
  private readonly until = performance.now() + MOST_MS;

  private constructor(
    readonly folder: string,
    /** What diagnostics put before a path in it. */
    private readonly prefix: string,
  ) {}

  /** Null where there is no such folder. */
  static async open(folder: string, prefix: string): Promise<Root | null> {
    const real = await realpath(folder).catch(() => null);
    return real === null ? null : new Root(real, prefix);
  }

  shown(path: string): string {
    return cleanText(`${this.prefix}${path}`, 1_000);
  }

  say(level: Diagnostic['level'], path: string, message: string): void {
    if (this.diagnostics.length > MOST_DIAGNOSTICS) return;
    const isLast = this.diagnostics.length === MOST_DIAGNOSTICS;
    const text = isLast ? 'there is more to say about this folder than is listed here' : cleanText(message, 500);
    this.diagnostics.push({ level, path: this.shown(path), message: text });
  }

  /** The real path of something below this folder; null, and a word about it, where there is none or it leads out. */
  async inside(path: string): Promise<string | null> {
    try {
      const real = await realpath(join(this.folder, path));
      if (real === this.folder || real.startsWith(this.folder + sep)) return real;
      this.say('skipped', path, 'leads out of the folder that is searched, and is not followed');
    } catch (error) {
      if (!ABSENT.includes(errorCode(error))) this.say('skipped', path, errorMessage(error));
    }
    return null;
  }

  /** True once for each real path. */
  isNew(real: string): boolean {
    if (this.seen.has(real)) return false;
    this.seen.add(real);
    return true;
  }

  takesFile(path: string): boolean {
    if (this.filesLeft === 0) this.say('skipped', path, `only ${String(MOST_FILES)} files are read; no more follow`);
    this.filesLeft -= 1;
    return this.filesLeft >= 0;
  }

  isLate(path: string): boolean {
    const isLate = performance.now() > this.until;
    if (isLate) this.say('skipped', path, 'the search took too long; this and what follows is not read');
    return isLate;
  }

  /** What is in a folder, by name. Pipes, sockets and devices are left out; links are followed inside the root. */
  async entriesOf(path: string, real: string): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    for (const entry of await this.listed(path, real)) {
      const resolved = entry.isSymbolicLink() ? await this.inside(join(path, entry.name)) : join(real, entry.name);
      if (resolved === null) continue;
      const is = entry.isSymbolicLink() ? await lstat(resolved).catch(() => null) : entry;
      if (!is?.isFile() && !is?.isDirectory()) continue;
      entries.push({ name: entry.name, real: resolved, isFolder: is.isDirectory() });
    }
    return entries;
  }

  /** Its bytes, or why not; null where there is no such file. Of a plain file only: a pipe would never end. */
  async read(real: string): Promise<Buffer | string | null> {
    try {
      const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const is = await file.stat();
        if (!is.isFile()) return 'is no file';
        if (is.size > MOST_FILE_BYTES) return `has more than ${String(MOST_FILE_BYTES)} bytes`;
        // In one go: reading on to the end of the file would take two trips more, for each of many files.
        const { buffer, bytesRead } = await file.read(Buffer.alloc(is.size), 0, is.size, 0);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    } catch (error) {
      return ABSENT.includes(errorCode(error)) ? null : errorMessage(error);
    }
  }

  private async listed(path: string, real: string): Promise<readonly Dirent[]> {
    const listed: Dirent[] = [];
    try {
      for await (const entry of await opendir(real, { bufferSize: 256 })) {
        if (this.entriesLeft === 0) {
          this.say('skipped', path, `only ${String(MOST_ENTRIES)} entries of folders are looked at`);
          break;
        }
        this.entriesLeft -= 1;
        listed.push(entry);
      }
    } catch (error) {
      if (!ABSENT.includes(errorCode(error))) this.say('skipped', path, errorMessage(error));
    }
    return listed.sort((a, b) => byText(a.name, b.name));
  }
}
