import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkout, IGNORES_FILE } from './checkout.js';
import { entryFiles, pointerTo } from './entry.js';
import { markOf } from './process-mark.js';
import type { Worktree } from './worktree.port.js';

/**
 * What this process has opened. Nobody else has worked in such a worktree for as long as this process is its holder: so
 * where everything that opening makes is still there, opening it again has nothing to do.
 */
export class KnownWorktrees {
  private readonly known = new Map<string, { readonly worktree: Worktree; readonly mark: string }>();

  /** Null where it has to be opened. Refs that git has packed are found by git alone. */
  async find(checkout: Checkout, branch: string): Promise<Worktree | null> {
    const { projectId, entry, folder, readyMark, view, refs, place } = checkout;
    const known = this.known.get(projectId)?.worktree;
    if (known?.branch !== branch || known.folder !== folder || known.repo !== place.repo) return null;
    const texts = [
      ...Object.entries(entryFiles(checkout, branch)).map(([name, text]) => [join(entry, name), text] as const),
      [join(folder, '.git'), pointerTo(entry)] as const,
      [join(view, refs.base), `${known.baseCommit}\n`] as const,
    ];
    const files = [readyMark, join(entry, 'index'), join(entry, IGNORES_FILE), join(view, 'refs/heads', branch)];
    const parts = await Promise.all([
      ...texts.map(([file, text]) => holds(file, text)),
      ...files.map(isFile),
      isMissing(join(view, refs.start)),
      // What a git that was killed has left there is taken away where it is opened.
      isMissing(join(view, 'refs/heads', `${branch}.lock`)),
    ]);
    return parts.every(Boolean) ? known : null;
  }

  learn(worktree: Worktree): Worktree {
    this.known.set(worktree.projectId, { worktree, mark: markOf(worktree.projectId) });
    return worktree;
  }

  /** Whether it is open, and no git of this process has been lost sight of since. */
  has(projectId: string): boolean {
    return this.known.get(projectId)?.mark === markOf(projectId);
  }

  forget(projectId: string): void {
    this.known.delete(projectId);
  }
}

const isFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isFile(),
    () => false,
  );

const isMissing = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => false,
    () => true,
  );

const holds = async (file: string, text: string): Promise<boolean> =>
  (await isFile(file)) && (await readFile(file, 'utf8').catch(() => null)) === text;
