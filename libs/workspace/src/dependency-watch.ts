import { join } from 'node:path';
import type { PlaceNote, PlaceNotes, WatchedDependencies } from './place-notes.js';
import {
  dependencyPaths,
  type DependencyPrints,
  differing,
  printDependencies,
  renewed,
  type WorkPlace,
} from './setup/index.js';
import type { GitWorktrees, Worktree } from './worktree/index.js';
import { removeTree } from './remove-tree.js';

export interface DependencyLook {
  readonly prints: DependencyPrints;
  /** Packages that somebody has changed since set-up. */
  readonly changed: readonly string[];
}

/**
 * Dependencies are in no commit, and no reset brings them back: what tests owe to a change of them the commit alone does
 * not have. So they are compared with what set-up made before anybody was let in. Repositories whose own verify commands
 * write into their dependencies do so at the first run after set-up too: what that one changes is not looked at.
 */
export class DependencyWatch {
  constructor(
    private readonly notes: PlaceNotes,
    private readonly worktrees: Pick<GitWorktrees, 'ignored'>,
  ) {}

  /** For set-up to begin with none: what it would not put there must not pass for what it has put there. */
  async clear(worktree: Worktree): Promise<void> {
    const paths = dependencyPaths(await this.worktrees.ignored(worktree));
    for (const path of paths) await removeTree(join(worktree.folder, path));
  }

  async begin(worktree: Worktree, place: WorkPlace): Promise<WatchedDependencies> {
    return { prints: await this.print(worktree, place), written: null };
  }

  /** Nothing has changed where nothing was set up. */
  async look(worktree: Worktree): Promise<DependencyLook> {
    const note = await this.notes.read(worktree);
    if (!note) return { prints: {}, changed: [] };
    const prints = await this.print(worktree, note.place);
    const { prints: kept, written } = note.dependencies;
    return { prints, changed: differing(kept, prints).filter((name) => written?.includes(name) !== true) };
  }

  /** To be called when verify commands have run; `before` is what was there when they began. */
  async learn(worktree: Worktree, before: DependencyLook): Promise<void> {
    const note = await this.notes.read(worktree);
    if (note?.dependencies.written !== null) return;
    const written = differing(before.prints, await this.print(worktree, note.place));
    await this.notes.write(worktree, { ...note, dependencies: { ...note.dependencies, written } });
  }

  /** While the service makes them anew, as other files of the same content, in the place that it answers with. */
  async during(worktree: Worktree, note: PlaceNote, work: () => Promise<WorkPlace>): Promise<WatchedDependencies> {
    const before = await this.print(worktree, note.place);
    const now = await this.print(worktree, await work());
    return { ...note.dependencies, prints: renewed(note.dependencies.prints, before, now) };
  }

  private async print(worktree: Worktree, place: WorkPlace): Promise<DependencyPrints> {
    return printDependencies(place, await this.worktrees.ignored(worktree));
  }
}
