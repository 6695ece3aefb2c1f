import { type Database, inWorldlyTerms } from '#persistence';
import type { ScratchKeeper, Witness, WorktreeKeeper } from '#workspace';

/** Puts a project's files where a checkpoint says they were, be they in a scratch repository or in a worktree. */
export class ProjectKeeper {
  constructor(
    private readonly pool: Database,
    private readonly scratch: ScratchKeeper,
    private readonly worktrees: WorktreeKeeper,
  ) {}

  async reset(projectId: string, commit: string): Promise<void> {
    await this.scratch.reset(projectId, commit);
    const repo = await this.repoOf(projectId);
    if (repo !== null) await this.worktrees.reset(projectId, repo, commit);
  }

  /** The checkpoints that the project's commits remember. */
  async witnesses(projectId: string): Promise<readonly Witness[]> {
    const repo = await this.repoOf(projectId);
    const [scratch, worktree] = await Promise.all([
      this.scratch.witnesses(projectId),
      repo === null ? [] : this.worktrees.witnesses(projectId, repo),
    ]);
    return [...scratch, ...worktree];
  }

  /** Another project that begins with this one's files at the given commit. */
  async fork(from: string, to: string, commit: string): Promise<void> {
    await this.scratch.fork(from, to, commit);
    const repo = await this.repoOf(from);
    if (repo !== null) await this.worktrees.fork(from, to, repo, commit);
  }

  private async repoOf(projectId: string): Promise<string | null> {
    const { rows } = await inWorldlyTerms(() =>
      this.pool.query<{ repo_path: string | null }>('SELECT repo_path FROM project WHERE id = $1', [projectId]),
    );
    return rows[0]?.repo_path ?? null;
  }
}
