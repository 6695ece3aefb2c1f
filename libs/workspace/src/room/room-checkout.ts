import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex, WorldError } from '#kernel';
import { removeTree } from '../remove-tree.js';
import { ROOT_FOLDERS } from '../setup/bring-in/parts.js';
import { isSetupFile } from './setup-key.js';
import type { CleanTree } from '../workshop.port.js';
import type { Checkout } from '../worktree/checkout.js';
import { writeDetachedEntry } from '../worktree/entry.js';
import { patternOf } from '../worktree/kept-files.js';
import { removeStaleLocks } from '../worktree/locks.js';
import { mustBePlainEntry } from '../worktree/plain-repository.js';
import { giveRightsBack } from '../worktree/tame-folder.js';

/** What git says of the files that are in the room now. */
export interface RoomFiles {
  /** Hash of the tree, overlays among it. */
  readonly tree: string;
  /** Every file that set-up depends on, with its hash. */
  readonly manifests: string;
  /** Every file that says how git writes other files. */
  readonly attributes: string;
}

export interface RoomReset {
  readonly files: RoomFiles;
  /** The room was damaged and is made anew: nothing was kept. */
  readonly isNew: boolean;
}

/** The most paths that one git process gets as arguments. */
const PATHS_AT_ONCE = 1_000;
/** Trees of one project whose files are remembered. */
const MOST_KNOWN = 20;

const START_OVERLAY = `git read-tree "$1"\n`;
const ADD_OVERLAY = `from=$1
shift
git cat-file -e "$from^{commit}"
git ls-files -z -- "$@" | git update-index -z --force-remove --stdin
git ls-tree -r -z --full-tree "$from" -- "$@" | git update-index -z --add --replace --index-info
`;
const LIST = `git write-tree
git ls-files -s -z
`;
/**
 * Git knows no rights of folders, of files only whether they run, and never looks at a repository inside a folder of the
 * commit: `find` resets them.
 * Then each file is rewritten whose size, times or inode differ from the index, and no other.
 */
const resetScript = (kept: readonly string[]): string => `tree=$1
shift
find . -path ./.git ${largeFolders(kept)}-o -name .git -prune -exec rm -rf -- {} + \\
  -o -type d ! -perm -700 -exec chmod u+rwx -- {} ';' \\
  -o -type f ! -perm -400 -exec chmod u+rw -- {} +
git read-tree --reset -u "$tree"
git clean -ffdxq "$@"
`;

/** Kept folders that `find` need not look through. */
const largeFolders = (kept: readonly string[]): string =>
  ROOT_FOLDERS.filter((name) => kept.includes(name))
    .map((name) => `-o -path ./${name} -prune `)
    .join('');

/** The checkout of a clean room: the files of a commit, its index and a detached HEAD. */
export class RoomCheckout {
  /** `known` is what was listed of trees before; a tree never changes. */
  constructor(
    readonly checkout: Checkout,
    private readonly known: Map<string, RoomFiles>,
  ) {}

  /** Tracked files as the tree has them, and nothing beside them but the paths that are to be kept. */
  async reset(tree: CleanTree, kept: readonly string[], signal: AbortSignal): Promise<RoomReset> {
    const { checkout } = this;
    await mustBePlainEntry(checkout.entry);
    await removeStaleLocks(checkout);
    const key = JSON.stringify([tree.commit, tree.overlays ?? []]);
    const excludes = kept.flatMap((path) => ['-e', patternOf(path)]);
    const attempt = async (): Promise<RoomFiles> => {
      await writeDetachedEntry(checkout, tree.commit);
      const known = this.known.get(key);
      // If it fails, nothing is taken as known the next time.
      this.known.delete(key);
      const args = [known?.tree ?? (await this.treeOf(tree, signal)), ...excludes];
      const script = `${resetScript(kept)}${known ? '' : LIST}`;
      const { stdout } = await checkout.script('reset the clean room', script, args, { signal });
      const files = known ?? read(stdout);
      await this.applyAttributes(files, script, args, signal);
      this.known.set(key, files);
      forgetOldest(this.known);
      return files;
    };
    try {
      return { files: await attempt(), isNew: false };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof WorldError)) throw error;
    }
    // Folders that nobody may write to, or enter.
    await giveRightsBack(checkout.folder);
    try {
      return { files: await attempt(), isNew: false };
    } catch {
      signal.throwIfAborted();
    }
    await this.remove();
    return { files: await attempt(), isNew: true };
  }

  /** Tracked paths at or below the given ones. */
  async tracked(paths: readonly string[]): Promise<readonly string[]> {
    if (paths.length === 0) return [];
    const { stdout } = await this.checkout.git(['ls-files', '-z', '--', ...paths]);
    return stdout.toString('utf8').split('\0').filter(Boolean);
  }

  async remove(): Promise<void> {
    await removeTree(this.checkout.folder);
    await removeTree(this.checkout.entry);
  }

  /** Git rewrites no file whose attributes alone have changed. Without an index it rewrites all. */
  private async applyAttributes(
    { attributes }: RoomFiles,
    script: string,
    args: readonly string[],
    signal: AbortSignal,
  ) {
    const note = join(this.checkout.entry, 'qralph-attributes');
    const print = sha256Hex(attributes);
    const last = await readFile(note, 'utf8').catch(() => null);
    if (last === print) return;
    if (last !== null || attributes !== '') {
      await removeTree(join(this.checkout.entry, 'index'));
      await this.checkout.script('rewrite the clean room', script, args, { signal });
    }
    await writeFile(note, print);
  }

  /** A tree that git makes of the commit and its overlays in an index beside the room's own. */
  private async treeOf({ commit, overlays = [] }: CleanTree, signal: AbortSignal): Promise<string> {
    const named = overlays.filter(({ paths }) => paths.length > 0);
    if (named.length === 0) return commit;
    const index = join(this.checkout.entry, 'overlay-index');
    for (const path of [index, `${index}.lock`]) await removeTree(path);
    const options = { env: { GIT_INDEX_FILE: index }, signal };
    await this.checkout.script('read the commit', START_OVERLAY, [commit], options);
    for (const { from, paths } of named) {
      for (let at = 0; at < paths.length; at += PATHS_AT_ONCE) {
        const some = paths.slice(at, at + PATHS_AT_ONCE);
        await this.checkout.script('replace files', ADD_OVERLAY, [from, ...some], options);
      }
    }
    return this.checkout.text(['write-tree'], options);
  }
}

function forgetOldest(known: Map<string, RoomFiles>): void {
  for (const key of known.keys()) {
    if (known.size <= MOST_KNOWN) return;
    known.delete(key);
  }
}

/** The same of a checkout whose files are as its index has them. */
export const filesOf = async (checkout: Checkout): Promise<RoomFiles> =>
  read((await checkout.script('list manifests', LIST, [])).stdout);

/** Every path that git does not track, ignored or not; a folder of nothing else is one path with a slash at its end. */
export async function untrackedIn(checkout: Checkout): Promise<readonly string[]> {
  const { stdout } = await checkout.git(['ls-files', '--others', '--directory', '-z']);
  return stdout.toString('utf8').split('\0').filter(Boolean);
}

const isAttributes = (path: string): boolean => /(?:^|\/)\.gitattributes$/.test(path);

function read(stdout: Buffer): RoomFiles {
  const text = stdout.toString('latin1');
  const end = text.indexOf('\n');
  const entries = text.slice(end + 1).split('\0');
  const select = (isWanted: (path: string) => boolean): string =>
    entries.filter((entry) => isWanted(entry.slice(entry.indexOf('\t') + 1))).join('\0');
  return { tree: text.slice(0, end), manifests: select(isSetupFile), attributes: select(isAttributes) };
}
