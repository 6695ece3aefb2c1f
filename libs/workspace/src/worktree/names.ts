/** Every name that this service leaves in a user's repository, so that it can be told from the user's own. */

export const BRANCH_PREFIX = 'qralph/';

/** `NNN-slug`, which follows the prefix; git has rules of its own for names of branches, and all such fulfil them. */
export const PROJECT_NAME = /^[0-9]{1,9}-[0-9a-z]+(?:-[0-9a-z]+)*$/;

/** Keys of the lines that end the message of a commit made here. */
export const TRAILERS = {
  effect: 'Qralph-Effect',
  /** Project, number and checksum of the checkpoint that the commit was made under. */
  checkpoint: 'Qralph-Checkpoint',
  /** Only snapshots have it: they stand beside the branch and never on it. */
  snapshot: 'Qralph-Snapshot',
} as const;

/** Where the authors of checks write; whatever the repository ignores, it is kept, and no reset leaves it. */
export const CHECKS_FOLDER = '.qralph-checks';

export const IDENTITY = { name: 'QRALPH', email: 'qralph@localhost' } as const;

/**
 * In the environment of every git that works on a project, with the project's id and that of the process here which
 * started it: a later one can see whether a git is still at it whose own process is gone.
 */
export const PROCESS_MARK = 'QRALPH_WORKTREE';

export interface ProjectRefs {
  /** Where the project's work leaves the user's history. Who has this ref owns the branch. */
  readonly base: string;
  /** Where a fork begins; only forks have it. */
  readonly start: string;
  /** The newest snapshot; all that the project ever stood at is reachable from here, so none of it is collected. */
  readonly work: string;
}

export const refsOf = (projectId: string): ProjectRefs => ({
  base: `refs/qralph/${projectId}/base`,
  start: `refs/qralph/${projectId}/start`,
  work: `refs/qralph/${projectId}/work`,
});
