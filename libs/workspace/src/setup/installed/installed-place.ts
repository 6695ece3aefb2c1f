/** The user's checkout, a lock file that the worktree has too, and the folder that should hold what it asks for. */
export interface InstalledPlace {
  readonly checkout: string;
  readonly lockFile: string;
  readonly lock: string;
  readonly folder: string;
}
