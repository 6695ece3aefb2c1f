import { errorMessage, UserError, WorldError } from '#kernel';

export interface GitFailure {
  readonly what: string;
  readonly exitCode: number | null;
  readonly said: string;
}

const LOCKED = /Unable to create '([^']+\.lock)': File exists/i;

/** The lock that another git holds, or held when it died. */
export const lockOf = (said: string): string | null => LOCKED.exec(said)?.[1] ?? null;

/** What a failed git means to the one who can mend it. */
export function gitError({ what, exitCode, said }: GitFailure): UserError | WorldError {
  const lock = lockOf(said);
  if (lock !== null) {
    return new UserError(
      'REPO_LOCKED',
      `another git holds ${lock}. Wait until it is done; if none is running any more, delete that file and try again.`,
      { lock },
    );
  }
  if (/No space left on device|Disk quota exceeded/i.test(said)) {
    return new WorldError('DISK_FULL', `${what}: no space left on the disk`, { said });
  }
  if (/insufficient permission|Permission denied|Read-only file system/i.test(said)) {
    return new UserError(
      'REPO_NOT_WRITABLE',
      `${what}: ${said}. The service needs to write there: give its user the right to, or run it as the owner.`,
      { said },
    );
  }
  if (/unknown repository (version|extension)|Expected git repo version|unsupported/i.test(said)) {
    return new UserError('REPO_FORMAT_UNKNOWN', `${what}: ${said}. Install a newer git on this machine.`, { said });
  }
  if (
    /(unable to read|missing|could not parse|bad) (tree|blob|commit|object|sha1)|invalid object|corrupt/i.test(said)
  ) {
    return new UserError(
      'REPO_INCOMPLETE',
      `${what}: the repository lacks objects (${said}). Check it with git fsck; in a partial or shallow clone fetch ` +
        'everything first: git fetch --refetch --no-filter, git fetch --unshallow.',
      { said },
    );
  }
  return new WorldError('GIT_FAILED', `${what}: ${said || `exit code ${String(exitCode)}`}`, { exitCode, said });
}

export const notWritable = (commonDir: string, cause: unknown): UserError =>
  new UserError(
    'REPO_NOT_WRITABLE',
    `${commonDir} cannot be written to (${errorMessage(cause)}): the branch of the project is kept there. ` +
      'Give the user of this service the right to, or run it as the owner of the repository.',
    { path: commonDir },
    { cause },
  );
