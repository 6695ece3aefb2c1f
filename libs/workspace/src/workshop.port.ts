import type { EffectRun, ProjectFacts } from '#engine';
import type { Sandbox, SandboxKind, SandboxWish } from './sandbox/index.js';
import type { SetupResult, WorkPlace } from './setup/index.js';
import type { VerifyResult } from './verify/index.js';
import type { Worktree } from './worktree/index.js';

/** What a project's user asked for about its workspace; whatever is missing is found out from the repository. */
export interface WorkspaceOrder {
  readonly setup?: readonly string[];
  readonly copy?: readonly string[];
  readonly verify?: readonly string[];
  /** For the agent's own commands. Set-up and verify commands run in the best sandbox of the machine. */
  readonly sandbox?: SandboxWish;
}

/** Plain data, fit to be journalled. */
export interface VerifyReport extends VerifyResult {
  /** The one that the commands really ran in. */
  readonly sandbox: SandboxKind;
  /** Folders of packages that could not be set up: their tests may fail for that alone. */
  readonly notSetUp?: readonly string[];
}

/** The files that a clean run sees. */
export interface CleanTree {
  /** The commit whose files the room has. */
  readonly commit: string;
  /** Files or folders that come from another commit instead; a path that commit does not have is removed. */
  readonly overlays?: readonly { readonly from: string; readonly paths: readonly string[] }[];
  /** Files that are in no commit, such as checks. Paths are relative to the root. */
  readonly files?: readonly { readonly path: string; readonly content: string }[];
  /** The run sees no git repository: nothing but files tells one commit from another. */
  readonly isWithoutGit?: boolean;
}

export interface CleanRun {
  readonly tree: CleanTree;
  /** Null: the verify commands of the order, or those detected in this tree. */
  readonly commands: readonly string[] | null;
  /** Longest that one command may take; the larger of this and the configured limit holds. */
  readonly timeoutMs?: number;
}

/** Plain data, fit for the journal. */
export interface CleanReport extends VerifyReport {
  /** Set-up of the room failed: the verdict is `failed` and no verify command ran. */
  readonly setupFailure?: { readonly reason: string; readonly output: string };
}

/** Where the newest checkpoint of a project has it. */
export interface Standing {
  /** Null: from before there was a worktree. */
  readonly commit: string | null;
  readonly incarnation: number;
}

export interface Entered extends Worktree {
  /**
   * A restore was cut off before the state had followed, and taken back: commits of what was changed meanwhile. Said at
   * every entry until `undoneTold`.
   */
  readonly undone?: readonly string[];
}

/** Everything a mode does with a project's worktree, short of letting an agent into it. */
export interface Workshop {
  /** The worktree, found as it was left; where it is gone, made again with the files of the given commit. */
  enter(project: ProjectFacts, at: Standing, signal: AbortSignal): Promise<Entered>;
  undoneTold(worktree: Pick<Worktree, 'projectId'>): Promise<void>;
  /** The agent's. UserError where the wish is not allowed on this server. */
  sandbox(order: WorkspaceOrder): Sandbox;
  /** Whether set-up has been done in this very worktree: one that was made again has lost its dependencies. */
  isSetUp(worktree: Worktree): Promise<boolean>;
  setUp(worktree: Worktree, order: WorkspaceOrder, run: EffectRun): Promise<SetupResult>;
  /**
   * How commands in this worktree are to be run in the agent's sandbox, or in the best one where no order is given: its
   * HOME, and what they must not write to.
   * Where that sandbox keeps nobody from writing, dependencies become the worktree's own first.
   */
  place(worktree: Worktree, order?: WorkspaceOrder): Promise<WorkPlace>;
  /**
   * Runs commands on a tree in the project's clean room: a checkout that no agent enters, with the dependencies that
   * set-up made and empty build caches. Throws a UserError (CLEAN_PATH_INVALID) for a path that it must not write to.
   */
  verifyClean(worktree: Worktree, order: WorkspaceOrder, clean: CleanRun, run: EffectRun): Promise<CleanReport>;
  /**
   * What tests the packages of a monorepo that these paths lie in; some of it may be among the verify commands. Empty if the
   * verify commands are given.
   */
  commandsOfPackages(worktree: Worktree, order: WorkspaceOrder, paths: readonly string[]): Promise<readonly string[]>;
  /** Takes the worktree away, and all that was set up for it; the branch stays. */
  leave(project: ProjectFacts): Promise<void>;
}
