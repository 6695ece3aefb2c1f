import type { ActivityContext, EffectRun } from '#engine';

/** A project's own checkout of a repository, on a branch of its own. The user's checkout is never touched. */
export interface Worktree {
  readonly projectId: string;
  /** The user's repository: root of its main checkout. */
  readonly repo: string;
  readonly folder: string;
  readonly branch: string;
  /** Where the branch began. */
  readonly baseCommit: string;
  /**
   * Snapshots are kept where no agent finds them: nothing in the repository names or holds them. For agents that write
   * checks, which the implementer must not see. Ignored files in the folder of checks are part of such a snapshot.
   */
  readonly hidesSnapshots?: boolean;
  /** What the user may want to know of the repository, such as changes that are not committed. */
  readonly notes?: readonly string[];
}

export interface WorktreeWish {
  readonly projectId: string;
  /** `NNN-slug`; the branch is named after it. */
  readonly name: string;
  readonly repo: string;
  readonly ref: string;
}

export interface DiffFile {
  readonly path: string;
  readonly status: 'added' | 'changed' | 'deleted' | 'renamed';
  readonly from: string | null;
  readonly insertions: number;
  readonly deletions: number;
}

export interface WorktreeDiff {
  readonly files: readonly DiffFile[];
  /** Unified; cut at a limit. */
  readonly patch: string;
  readonly isCut: boolean;
}

/** What lies between two commits of a branch. */
export interface Made {
  /** Oldest first. */
  readonly commits: readonly string[];
  /** Every file that one of them touched, by name. */
  readonly files: readonly string[];
}

/** A file in the worktree that differs from the last commit of the branch, or from what a checkpoint has. */
export interface PendingFile {
  readonly path: string;
  readonly status: 'added' | 'changed' | 'deleted';
  /** Whether it is as the commit that was named has it; null: nobody asked, or it was not looked at. */
  readonly isAsInCommit: boolean | null;
}

export interface Pending {
  readonly files: readonly PendingFile[];
  /** There are more. */
  readonly isCut: boolean;
}

/** A file as a commit has it. */
export interface FileAt {
  readonly bytes: number;
  readonly content: Buffer;
  /** Whether it is longer than this. */
  readonly isCut: boolean;
}

/** A file that is to be committed under another path. */
export interface ForeignFile {
  /** Below the root of the repository. */
  readonly path: string;
  /** Where it lies. */
  readonly source: string;
}

export interface RepositoryMap {
  /** Plain text, at most 12,000 characters, most useful first. */
  readonly map: string;
  /**
   * The texts of AGENTS.md, CLAUDE.md and CONTRIBUTING.md (root, also .github/), each with its name. At most 8,000
   * characters in all; empty if there are none.
   */
  readonly conventions: string;
}

export interface Worktrees {
  /** Makes it, or finds it again as it was left. Refuses with a UserError (REPO_…) what cannot be worked on. */
  open(wish: WorktreeWish, signal: AbortSignal): Promise<Worktree>;
  head(worktree: Worktree): Promise<string>;
  /** All files as they are now, as a commit beside the branch; the same commit again where nothing has changed. */
  snapshot(worktree: Worktree): Promise<string>;
  /**
   * Tracked and untracked files back to a commit; ignored ones (dependencies, caches) stay. HEAD goes to `head`; where
   * that is not given, to the commit itself or, for a snapshot, to the commit of the branch that it was made beside.
   */
  reset(worktree: Worktree, commit: string, head?: string): Promise<void>;
  /** Commits everything to the branch, with trailers that name the effect and the newest checkpoint. */
  commit(
    worktree: Worktree,
    message: string,
    checkpoint: ActivityContext['checkpoint'],
    run: EffectRun,
  ): Promise<string>;
  /**
   * The same of exactly the files of a snapshot, which the worktree then has, whatever has happened to them since. Null
   * where the snapshot is a commit of the branch, and there is nothing to add to it.
   */
  commitSnapshot(
    worktree: Worktree,
    snapshot: string,
    message: string,
    checkpoint: ActivityContext['checkpoint'],
    run: EffectRun,
  ): Promise<string | null>;
  /** Names of files that HEAD holds, the first so many. */
  files(worktree: Worktree, most: number): Promise<readonly string[]>;
  /** What agents are told of a repository before they read it: manifests, folders, files with what they export, conventions. */
  map(worktree: Worktree): Promise<RepositoryMap>;
  /** A plain file as a commit has it; null where there is none of this path. */
  fileAt(worktree: Pick<Worktree, 'projectId' | 'repo'>, commit: string, path: string): Promise<FileAt | null>;
  /** Hash of a commit's tree without the projects' readable files (`.qralph` in the root): the same files have the same. */
  tree(worktree: Worktree, commit: string): Promise<string>;
  /** Like `commit`, of files that lie elsewhere and nothing else, whatever git is told to ignore. */
  commitFiles(
    worktree: Worktree,
    files: readonly ForeignFile[],
    message: string,
    checkpoint: ActivityContext['checkpoint'],
    run: EffectRun,
  ): Promise<string>;
  /** Throws where another process has opened it since: that one works there now. To be asked before a file is written. */
  mustHold(worktree: Pick<Worktree, 'projectId'>): Promise<void>;
  findCommit(worktree: Worktree, run: EffectRun): Promise<string | null>;
  diff(worktree: Worktree, from: string, to: string): Promise<WorktreeDiff>;
  /** Asked for again, the last answer costs nothing: what lies between two commits never changes. */
  made(worktree: Pick<Worktree, 'projectId' | 'repo'>, from: string, to: string): Promise<Made>;
  /** Of files that hold tests or say which are run, of those that are named, and of no others. */
  diffOfTests(worktree: Worktree, from: string, to: string, also?: ReadonlySet<string>): Promise<WorktreeDiff>;
  /** Test files of a commit that have the name of one of these files, or whose text names one. */
  findTests(worktree: Worktree, commit: string, paths: readonly string[]): Promise<readonly string[]>;
  /**
   * What is uncommitted in the worktree now, and of each file whether it is as the given commit has it; null where there
   * is no worktree on this machine. Only looks, whoever works there, and not for long.
   */
  pending(worktree: Pick<Worktree, 'projectId' | 'repo'>, commit: string | null): Promise<Pending | null>;
  /** Takes the worktree away and keeps its branch; finishes what a crash left half-done. */
  remove(worktree: Pick<Worktree, 'projectId' | 'repo'>): Promise<void>;
}
