import { type Database, inWorldlyTerms } from '#persistence';
import {
  type Artefacts,
  type ProjectNotes,
  readAnchor,
  type ScratchKeeper,
  type Witness,
  type WorktreeKeeper,
} from '#workspace';

/** A project that is being made, and what it works on. */
export interface Fork {
  readonly to: string;
  readonly repo: string | null;
}

/** Kept from before a fork's first file until its project is there. */
export type ForkNote = Pick<Fork, 'repo'>;

/** As an event tells it. */
export type KeptFiles = { readonly kept?: string; readonly keptSince?: string };

/** Puts a project's files where a checkpoint says they were, be they in a scratch repository or in a worktree. */
export class ProjectKeeper {
  constructor(
    private readonly pool: Database,
    private readonly scratch: ScratchKeeper,
    private readonly worktrees: WorktreeKeeper,
    private readonly artefacts: Artefacts,
    private readonly forks: ProjectNotes<ForkNote>,
  ) {}

  /**
   * Null: as they were made. The state is to follow in the given incarnation. Answers with what a restore has to tell:
   * the commits that keep what was there.
   */
  async reset(projectId: string, commit: string | null, incarnation: number): Promise<KeptFiles> {
    await this.scratch.reset(projectId, commit);
    const { repo, name } = await this.placeOf(projectId);
    if (repo === null) return {};
    const { kept, since } = await this.worktrees.reset({ projectId, name, repo }, commit, incarnation);
    return { ...(kept !== null && { kept }), ...(since.length > 0 && { keptSince: since.join(' ') }) };
  }

  /** The state has followed the files. */
  async settle(projectId: string, incarnation: number): Promise<void> {
    const { repo } = await this.placeOf(projectId);
    if (repo !== null) await this.worktrees.settle(projectId, repo, incarnation);
  }

  /** The checkpoints that the project's commits and readable files remember. */
  async witnesses(projectId: string): Promise<readonly Witness[]> {
    const { repo, name } = await this.placeOf(projectId);
    const [scratch, worktree, anchor] = await Promise.all([
      this.scratch.witnesses(projectId),
      repo === null ? [] : this.worktrees.witnesses(projectId, repo),
      repo === null ? null : readAnchor(this.artefacts, { repo, name }, projectId),
    ]);
    return [...scratch, ...worktree, ...(anchor === null ? [] : [anchor])];
  }

  /** Another project that begins with this one's files at the given commit. Until `forked` it may still be undone. */
  async fork(from: string, { to, repo }: Fork, commit: string): Promise<void> {
    await this.forks.write(to, { repo });
    await this.scratch.fork(from, to, commit);
    if (repo !== null) await this.worktrees.fork(from, to, repo, commit);
  }

  /** It is there, or will never be. */
  async forked(projectId: string): Promise<void> {
    const { repo, name } = await this.placeOf(projectId);
    if (repo !== null) await this.worktrees.branchOff({ projectId, name, repo });
    await this.forks.drop(projectId);
  }

  /** Those that were begun, and of which nobody has said that they are there. */
  forksBegun(): Promise<readonly string[]> {
    return this.forks.projects();
  }

  /** It will never be there. */
  async unfork(projectId: string): Promise<void> {
    const note = await this.forks.read(projectId);
    if (note === null) return;
    await this.scratch.unfork(projectId);
    if (note.repo !== null) await this.worktrees.unfork(projectId, note.repo);
  }

  private async placeOf(projectId: string): Promise<{ readonly repo: string | null; readonly name: string }> {
    const { rows } = await inWorldlyTerms(() =>
      this.pool.query<{ repo: string | null; name: string }>(
        'SELECT repo_path AS repo, name FROM project WHERE id = $1',
        [projectId],
      ),
    );
    return rows[0] ?? { repo: null, name: '' };
  }
}
