import type { PlaceNote, PlaceNotes, WatchedFiles } from './place-notes.js';
import { removeEmptyFolders } from './remove-empty-folders.js';
import {
  clearHome,
  type DependencyPrints,
  differing,
  homeFiles,
  looseFiles,
  loosePaths,
  printDependencies,
  renewed,
  type WorkPlace,
} from './setup/index.js';
import type { GitWorktrees, Worktree } from './worktree/index.js';

export interface DependencyLook {
  readonly prints: DependencyPrints;
  /** Packages, and other files of set-up, that somebody has changed since. */
  readonly changed: readonly string[];
}

/**
 * What git ignores, and what lies in HOME, is in no commit, and no reset takes it away or brings it back: what tests owe
 * to it the commit alone does not have. So whatever is neither a dependency nor was there after set-up goes before tests are run, and the rest is
 * compared with what set-up made before anybody was let in. Repositories whose own verify commands write into it do so at
 * the first run after set-up too: what that one changes is not looked at.
 */
export class DependencyWatch {
  constructor(
    private readonly notes: PlaceNotes,
    private readonly worktrees: Pick<GitWorktrees, 'ignored' | 'foldersOutside'>,
  ) {}

  /** For set-up to begin with nothing: what it would not put there must not pass for what it has put there. */
  async clear(worktree: Worktree): Promise<void> {
    await looseFiles(worktree.folder, await this.worktrees.ignored(worktree), {});
    await clearHome(this.notes.homeOf(worktree));
  }

  async begin(worktree: Worktree, place: WorkPlace): Promise<WatchedFiles> {
    return { prints: await this.print(worktree, place), written: null };
  }

  /** To be called before verify commands run. Nothing has changed where nothing was set up. Empty folders go: git has none. */
  async look(worktree: Worktree): Promise<DependencyLook> {
    const note = await this.notes.read(worktree);
    if (!note) return { prints: {}, changed: [] };
    const { prints: kept, written } = note.watched;
    const [ignored, folders] = await Promise.all([
      this.worktrees.ignored(worktree),
      this.worktrees.foldersOutside(worktree),
    ]);
    // Those on the way to what is ignored are looked at with it.
    const empty = folders.filter((path) => !ignored.includes(path));
    await removeEmptyFolders(worktree.folder, empty);
    const prints = await this.print(worktree, note.place, kept, ignored);
    const own = new Set(written);
    return { prints, changed: differing(kept, prints).filter((name) => !own.has(name)) };
  }

  /** To be called when verify commands have run; `before` is what was there when they began. */
  async learn(worktree: Worktree, before: DependencyLook): Promise<void> {
    const note = await this.notes.read(worktree);
    if (note?.watched.written !== null) return;
    const written = differing(before.prints, await this.print(worktree, note.place));
    await this.notes.write(worktree, { ...note, watched: { ...note.watched, written } });
  }

  /** While the service makes them anew, as other files of the same content, in the place that it answers with. */
  async during(worktree: Worktree, note: PlaceNote, work: () => Promise<WorkPlace>): Promise<WatchedFiles> {
    const before = await this.print(worktree, note.place);
    const now = await this.print(worktree, await work());
    return { ...note.watched, prints: renewed(note.watched.prints, before, now) };
  }

  /** Where it is told what is known, other files are taken away. */
  private async print(
    worktree: Worktree,
    place: WorkPlace,
    known?: DependencyPrints,
    seen?: readonly string[],
  ): Promise<DependencyPrints> {
    const ignored = seen ?? (await this.worktrees.ignored(worktree));
    const loose = await looseFiles(worktree.folder, loosePaths(ignored), known);
    const inHome = await homeFiles(place.home, known);
    return { ...(await printDependencies(place, ignored)), ...loose, ...inHome };
  }
}
