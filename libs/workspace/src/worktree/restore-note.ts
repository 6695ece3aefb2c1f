/**
 * Files that are being put back to an earlier checkpoint, whose state is committed after them. Kept from before the
 * first file is touched until the state has followed.
 */
export interface RestoreNote {
  /** All files as they were before. */
  readonly kept: string;
  /** The commit that they go back to. */
  readonly target: string;
  /** The one that the project begins with this restore: it has begun exactly where the state has followed. */
  readonly incarnation: number;
  /** Commits of what was found in the worktree when the restore, cut off, was taken back, and is in neither of those. */
  readonly since: readonly string[];
  /** It was taken back, and that is still to be told. */
  readonly isUndone: boolean;
}

/** Where one does not say which restore it is of, the state is taken to have followed. */
export const isCutOff = (note: RestoreNote | null, incarnation: number): note is RestoreNote =>
  note !== null && note.incarnation > incarnation;
