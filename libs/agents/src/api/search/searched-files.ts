import { entriesOf } from '../guard/entries.js';
import { readBytes } from '../guard/read-bytes.js';
import { asked, inFolder, type OpenFolder } from '../guard/rooted.js';
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

/** Reads the text files below a path in order, up to limits of number, size and time; tells why it ended early. */
export class SearchWalk {
  private files = 0;
  private bytes = 0;
  cut: string | null = null;

  constructor(private readonly plan: WalkPlan) {}

  async run(): Promise<void> {
    const { root, names } = this.plan;
    const last = names.at(-1);
    if (last === undefined) return inFolder(root, names, (folder) => this.through(folder));
    await inFolder(root, names.slice(0, -1), async (folder) => {
      const below = await entered(folder, last);
      if (below) return this.closing(below);
      await this.read(folder, last, (refusal) => {
        throw refusal;
      });
    });
  }

  private async closing(folder: OpenFolder): Promise<void> {
    try {
      await this.through(folder);
    } finally {
      await folder.close();
    }
  }

  private async through(folder: OpenFolder): Promise<void> {
    const { limits, signal, isOver, wants } = this.plan;
    signal.throwIfAborted();
    const { entries, isCut } = await entriesOf(folder, limits.folderEntries);
    for (const { name, kind } of entries) {
      if (this.cut !== null) return;
      if (isOver()) this.cut = 'it took too long';
      else if (kind === 'folder' && !isSkipped(name)) {
        const below = await entered(folder, name);
        if (below) await this.closing(below);
      } else if (kind === 'file' && wants(folder.pathOf(name))) await this.read(folder, name, () => undefined);
    }
    if (isCut) this.cut ??= `${JSON.stringify(folder.path)} has too many entries`;
  }

  private async read(folder: OpenFolder, name: string, refused: (refusal: ToolRefusal) => void): Promise<void> {
    const { limits, take } = this.plan;
    try {
      const { bytes } = await readBytes(folder, name, limits.readBytes);
      this.files += 1;
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
    return await asked(folder.pathOf(name), () => folder.enter(name));
  } catch (error) {
    if (error instanceof ToolRefusal) return null;
    throw error;
  }
}
