import { setImmediate as nextTurn } from 'node:timers/promises';
import { entriesOf } from '../guard/entries.js';
import { readBytesSync } from '../guard/read-bytes.js';
import { inFolder, type OpenFolder } from '../guard/rooted.js';
import type { ApiLimits } from '../limits.js';
import { ToolRefusal } from '../tools/refusal.js';
import { isSkipped } from '../tools/skipped.js';
import { isBinary } from '../tools/text-file.js';

export interface SearchedFile {
  readonly path: string;
  readonly text: string;
}

export interface WalkPlan {
  readonly root: string;
  readonly names: readonly string[];
  readonly wants: (path: string) => boolean;
  readonly limits: ApiLimits;
  readonly signal: AbortSignal;
  readonly isOver: () => boolean;
  /** Gets files as they are found; false ends the walk. */
  readonly take: (file: SearchedFile) => Promise<boolean>;
}

/** Each level above a folder is held open meanwhile; no source lies as deep. */
const DEEPEST = 64;
/** So many files are read before others get their turn on the event loop. */
const FILES_PER_TURN = 32;

/** Reads the text files below a path in order, up to limits of number, size, depth and time; tells what it left out. */
export class SearchWalk {
  private files = 0;
  private bytes = 0;
  private tooDeep: string | null = null;
  cut: string | null = null;

  constructor(private readonly plan: WalkPlan) {}

  async run(): Promise<void> {
    await this.walk();
    if (this.tooDeep !== null) this.cut ??= `${JSON.stringify(this.tooDeep)} lies too deep`;
  }

  private async walk(): Promise<void> {
    const { root, names } = this.plan;
    const last = names.at(-1);
    if (last === undefined) return inFolder(root, names, (folder) => this.through(folder, 1));
    await inFolder(root, names.slice(0, -1), async (folder) => {
      const below = await entered(folder, last);
      if (below) return this.closing(below, 1);
      await this.read(folder, last, (refusal) => {
        throw refusal;
      });
    });
  }

  private async closing(folder: OpenFolder, depth: number): Promise<void> {
    try {
      await this.through(folder, depth);
    } finally {
      await folder.close();
    }
  }

  private async through(folder: OpenFolder, depth: number): Promise<void> {
    const { limits, signal, isOver, wants } = this.plan;
    signal.throwIfAborted();
    const { entries, isCut } = await entriesOf(folder, limits.folderEntries);
    for (const { name, kind } of entries) {
      if (this.cut !== null) return;
      if (isOver()) this.cut = 'it took too long';
      else if (kind === 'folder' && !isSkipped(name)) {
        await this.below(folder, name, depth + 1);
      } else if (kind === 'file' && wants(folder.pathOf(name))) await this.read(folder, name, () => undefined);
    }
    if (isCut) this.cut ??= `${JSON.stringify(folder.path)} has too many entries`;
  }

  private async below(folder: OpenFolder, name: string, depth: number): Promise<void> {
    if (depth > DEEPEST) {
      this.tooDeep ??= folder.pathOf(name);
      return;
    }
    const below = await entered(folder, name);
    if (below) await this.closing(below, depth);
  }

  private async read(folder: OpenFolder, name: string, refused: (refusal: ToolRefusal) => void): Promise<void> {
    const { limits, take } = this.plan;
    try {
      const bytes = readBytesSync(folder, name, limits.readBytes);
      this.files += 1;
      if (this.files % FILES_PER_TURN === 0) await nextTurn();
      this.bytes += bytes.length;
      if (!isBinary(bytes) && !(await take({ path: folder.pathOf(name), text: bytes.toString('utf8') }))) {
        this.cut = 'there are more';
      }
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error;
      refused(error);
    }
    if (this.files >= limits.searchFiles || this.bytes >= limits.searchBytes) this.cut ??= 'there are too many files';
  }
}

/** Null for what is no folder: a file, a symlink, something that has gone. */
async function entered(folder: OpenFolder, name: string): Promise<OpenFolder | null> {
  try {
    return await folder.enter(name);
  } catch (error) {
    if (error instanceof ToolRefusal) return null;
    throw error;
  }
}
