import { lstat, opendir, readFile, readlink, writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { errorCode } from '#kernel';
import { removeTree, type Worktree, type Worktrees } from '#workspace';

/** The worktree's own: nobody else has any business with them. */
const OWN = ['HEAD', 'config.worktree', 'commondir', 'gitdir'];
/** Shared with the user's checkout: they say what git does, and what it runs. */
const COMMON = ['config', 'info/attributes'];
const HOOKS = 'hooks';
const LONGEST_FILE = 1024 * 1024;
const MOST_HOOKS = 1_000;
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** What a file holds; null where there is none; in words where it is no plain file that could be put back. */
type State = Buffer | string | null;
type States = ReadonlyMap<string, State>;

/**
 * Git's own files, before and after an agent that no sandbox kept from them. The worktree's are put back as they were.
 * The repository's are left alone, because the user may have changed them meanwhile; but who changed them is asked.
 */
export class GitGuard {
  private constructor(
    private readonly own: States,
    private readonly common: States,
    private readonly hooks: { readonly folder: string; readonly states: States },
  ) {}

  static async of(worktree: string): Promise<GitGuard> {
    const link = join(worktree, '.git');
    const isLinked = Buffer.isBuffer(await stateOf(link));
    const own = isLinked ? await linkedFolder(worktree, link) : link;
    const pointer = await stateOf(join(own, 'commondir'));
    const common = Buffer.isBuffer(pointer) ? resolve(own, pointer.toString('utf8').trim()) : own;
    const folder = join(common, HOOKS);
    return new GitGuard(
      await statesOf([...OWN.map((name) => join(own, name)), ...(isLinked ? [link] : [])]),
      await statesOf(COMMON.map((name) => join(common, name))),
      { folder, states: await hooksIn(folder) },
    );
  }

  /** The files of the repository that are not as they were; the worktree's own are, afterwards. */
  async restore(): Promise<string[]> {
    const changed: string[] = [];
    for (const [file, before] of changesOf(this.own, await statesOf([...this.own.keys()]))) {
      // A link in its place would be written through.
      await removeTree(file);
      if (Buffer.isBuffer(before)) await writeFile(file, before);
      else if (before !== null) changed.push(file);
    }
    const { folder, states } = this.hooks;
    const shared = [
      ...changesOf(this.common, await statesOf([...this.common.keys()])),
      ...changesOf(states, await hooksIn(folder)),
    ];
    return [...changed, ...shared.map(([file]) => file)];
  }
}

/** The files as they are, as a commit beside `head`: one that an agent made by itself is none of the branch's. */
export async function snapshotBeside(
  head: string,
  worktree: Worktree,
  worktrees: Pick<Worktrees, 'head' | 'snapshot' | 'reset'>,
): Promise<string> {
  const commit = await worktrees.snapshot(worktree);
  if ((await worktrees.head(worktree)) === head) return commit;
  await worktrees.reset(worktree, commit, head);
  return worktrees.snapshot(worktree);
}

const statesOf = async (files: readonly string[]): Promise<States> =>
  new Map(await Promise.all(files.map(async (file) => [file, await stateOf(file)] as const)));

function changesOf(before: States, now: States): [string, State][] {
  const files = new Set([...before.keys(), ...now.keys()]);
  return [...files].flatMap((file): [string, State][] => {
    const [was, is] = [before.get(file) ?? null, now.get(file) ?? null];
    const isSame = Buffer.isBuffer(was) && Buffer.isBuffer(is) ? was.equals(is) : was === is;
    return isSame ? [] : [[file, was]];
  });
}

async function linkedFolder(worktree: string, link: string): Promise<string> {
  const text = (await readFile(link, 'utf8')).replace(/^gitdir:\s*/, '').trim();
  return isAbsolute(text) ? text : resolve(worktree, text);
}

async function stateOf(file: string): Promise<State> {
  try {
    const found = await lstat(file);
    if (found.isSymbolicLink()) return `link to ${await readlink(file)}`;
    if (!found.isFile()) return 'no file';
    return found.size > LONGEST_FILE ? `${String(found.size)} bytes` : await readFile(file);
  } catch (error) {
    // One that cannot be read any more differs from what it was, which is all that is asked here.
    return GONE.has(errorCode(error)) ? null : errorCode(error);
  }
}

/**
 * Whatever lies where git looks for hooks, by what nobody can change unseen: whether git would run it is told by its
 * mode alone, and its text may be of any length.
 */
async function hooksIn(folder: string): Promise<States> {
  const states = new Map<string, State>();
  const seen = async (file: string): Promise<void> => {
    const { mode, size, ino, ctimeNs } = await lstat(file, { bigint: true });
    states.set(file, file === folder ? `${mode} ${ino}` : `${mode} ${size} ${ino} ${ctimeNs}`);
  };
  try {
    await seen(folder);
    for await (const entry of await opendir(folder, { recursive: true })) {
      if (states.size > MOST_HOOKS) break;
      await seen(join(entry.parentPath, entry.name));
    }
  } catch (error) {
    // There is none, or it cannot be read: a difference like any other.
    states.set(folder, errorCode(error));
  }
  return states;
}
