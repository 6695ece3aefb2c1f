import { lstat, readFile, writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { removeTree } from '#workspace';

/** The worktree's own: nobody else has any business with them. */
const OWN = ['HEAD', 'config.worktree'];
/** Shared with the user's checkout: they say what git does, and what it runs. */
const COMMON = ['config', 'info/attributes'];

type Contents = ReadonlyMap<string, Buffer | null>;

/**
 * Git's own files, before and after an agent that no sandbox kept from them. The worktree's are put back as they were.
 * The repository's are left alone, because the user may have changed them meanwhile; but who changed them is asked.
 */
export class GitGuard {
  private constructor(
    private readonly own: Contents,
    private readonly common: Contents,
  ) {}

  static async of(worktree: string): Promise<GitGuard> {
    const link = join(worktree, '.git');
    const isLinked = await isFile(link);
    const own = isLinked ? await linkedFolder(worktree, link) : link;
    const pointer = await read(join(own, 'commondir'));
    const common = pointer ? resolve(own, pointer.toString('utf8').trim()) : own;
    return new GitGuard(
      await contentsOf([...OWN.map((name) => join(own, name)), ...(isLinked ? [link] : [])]),
      await contentsOf(COMMON.map((name) => join(common, name))),
    );
  }

  /** The files of the repository that are not as they were; the worktree's own are, afterwards. */
  async restore(): Promise<string[]> {
    for (const [file, before] of await changesOf(this.own)) {
      // A link in its place would be written through.
      await removeTree(file);
      if (before) await writeFile(file, before);
    }
    return (await changesOf(this.common)).map(([file]) => file);
  }
}

const contentsOf = async (files: readonly string[]): Promise<Contents> =>
  new Map(await Promise.all(files.map(async (file) => [file, await read(file)] as const)));

async function changesOf(contents: Contents): Promise<[string, Buffer | null][]> {
  const changes: [string, Buffer | null][] = [];
  for (const [file, before] of contents) {
    const now = await read(file);
    if (now !== before && !(now && before && now.equals(before))) changes.push([file, before]);
  }
  return changes;
}

async function linkedFolder(worktree: string, link: string): Promise<string> {
  const text = (await readFile(link, 'utf8')).replace(/^gitdir:\s*/, '').trim();
  return isAbsolute(text) ? text : resolve(worktree, text);
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch {
    return false;
  }
}

/** Null where there is no such plain file. */
async function read(file: string): Promise<Buffer | null> {
  return (await isFile(file)) ? readFile(file) : null;
}
