import type { Project } from '#contracts';
import { errorMessage } from '#kernel';
import type { Unseen } from '#modes';
import type { GitWorktrees, Pending } from '#workspace';

/** Longer nobody waits for git; what it has not said by then is unknown. */
const GIT_MS = 3_000;
const ENDED: readonly string[] = ['completed', 'aborted', 'failed'];

/**
 * What is uncommitted in a project's worktree at this moment, and, where a commit is named, whether that one has it so;
 * null where it has none, or none any more.
 */
export async function pendingNow(
  worktrees: Pick<GitWorktrees, 'pending'>,
  { id, repo, workspace, status }: Project,
  commit: string | null,
): Promise<Pending | Unseen | null> {
  if (repo === null || workspace === null || ENDED.includes(status)) return null;
  const look = worktrees.pending({ projectId: id, repo: repo.path }, commit).then(
    (found) => found ?? { reason: 'its worktree is not on this machine, or is yet to be made again' },
    (error: unknown) => ({ reason: `git could not say (${errorMessage(error).slice(0, 200)})` }),
  );
  return Promise.race([look, tooLate()]);
}

const tooLate = (): Promise<Unseen> =>
  new Promise((resolve) => {
    setTimeout(() => resolve({ reason: 'git did not answer in time' }), GIT_MS).unref();
  });
