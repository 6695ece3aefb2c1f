import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from '#kernel';
import type { Witness } from '../scratch-keeper.js';
import type { Checkout } from './checkout.js';
import { unlessUnusable } from './find-repository.js';
import type { GitWorktrees } from './git-worktrees.js';
import { refsOf, TRAILERS } from './names.js';
import type { Worktree } from './worktree.port.js';
import { mustBeCommitId } from './resolve-ref.js';
import { RestoreNotes } from './restore-notes.js';

/** Puts worktrees where a checkpoint says they were. Only for projects that nobody works on. */
export class WorktreeKeeper {
  private readonly notes: RestoreNotes;

  constructor(private readonly worktrees: GitWorktrees) {
    this.notes = new RestoreNotes(join(dirname(worktrees.folderOf('x')), '.restoring'));
  }

  /**
   * The files and the branch as a checkpoint has them; null: as they were when the worktree was made. Where there is no
   * worktree (on this host) the next one begins there. Answers with the commit that keeps what was in the worktree;
   * null where nothing was that this commit, or the branch, does not have.
   * Until `settle` is told that the state has followed, all of it can be undone, also by another process.
   */
  async reset(projectId: string, repo: string, wish: string | null): Promise<string | null> {
    if (wish !== null) mustBeCommitId(wish);
    const checkout = await this.worktrees.checkoutOf({ projectId, repo });
    const base = (await checkout.readRefs(checkout.refs.base)).get(checkout.refs.base);
    if (base === undefined) return null;
    const commit = wish ?? base;
    await mustBeCommit(checkout, commit);
    if (!(await isThere(checkout))) {
      await checkout.inRepo(['update-ref', checkout.refs.start, commit]);
      return null;
    }
    const worktree = { ...NOWHERE, projectId, repo };
    // Nobody works on the project, whichever process has opened its worktree last.
    await this.worktrees.takeOver(projectId);
    await this.undo(worktree);
    const kept = await this.worktrees.snapshot(worktree);
    await this.notes.write(projectId, { kept, target: wish });
    const head = await this.worktrees.head(worktree);
    await this.worktrees.reset(worktree, commit);
    return kept === commit || kept === head ? null : kept;
  }

  /**
   * A restore is over: its files stay where the state has followed them, which then stands at this commit, and go back
   * to what they were where it has not, as whoever restored died in between.
   */
  async settle(projectId: string, repo: string, commit: string | null): Promise<void> {
    const note = await this.notes.read(projectId);
    if (note === null) return;
    if (note.target !== commit) await this.undo({ ...NOWHERE, projectId, repo });
    await this.notes.drop(projectId);
  }

  private async undo(worktree: Worktree): Promise<void> {
    const note = await this.notes.read(worktree.projectId);
    if (note === null) return;
    await this.worktrees.reset(worktree, note.kept);
    await this.notes.drop(worktree.projectId);
  }

  /** The checkpoints that the project's commits remember. A fork also holds its origin's: those are not its own. */
  async witnesses(projectId: string, repo: string): Promise<readonly Witness[]> {
    const checkout = await unlessUnusable(this.worktrees.checkoutOf({ projectId, repo }));
    if (checkout === null) return [];
    const refs = await checkout.readRefs(checkout.refs.base, checkout.refs.work);
    const base = refs.get(checkout.refs.base);
    if (base === undefined) return [];
    const format = `--format=%(trailers:key=${TRAILERS.checkpoint},valueonly)`;
    const tips = [...refs.values(), ...(await branchOf(checkout))];
    const { stdout } = await checkout.inRepo(['log', format, ...tips, '--not', base]);
    return stdout
      .toString('utf8')
      .split('\n')
      .map((line) => line.trim().split(' '))
      .filter(([owner, seq, checksum]) => owner === projectId && seq !== undefined && checksum !== undefined)
      .map(([, seq, checksum]) => ({ seq: Number(seq), checksum: checksum ?? '' }));
  }

  /**
   * A project that will begin with another one's files at the given commit: its worktree and branch are made from there
   * when it first opens them. One that has begun already is left alone: somebody may work in it.
   */
  async fork(from: string, to: string, repo: string, commit: string): Promise<void> {
    mustBeCommitId(commit);
    const checkout = await this.worktrees.checkoutOf({ projectId: to, repo });
    if (await hasBegun(checkout)) return;
    const origin = refsOf(from);
    const base = (await checkout.readRefs(origin.base)).get(origin.base);
    if (base === undefined) throw commitGone(commit);
    await mustBeCommit(checkout, commit);
    const { refs } = checkout;
    // The start first: a base without it would begin at the base.
    await checkout.inRepo(['update-ref', refs.start, commit]);
    await checkout.inRepo(['update-ref', refs.base, base]);
  }
}

/** What of a worktree its keeper does not know, and resetting does not need. */
const NOWHERE = { folder: '', branch: '', baseCommit: '' };

const hasBegun = async (checkout: Checkout): Promise<boolean> =>
  (await checkout.readRefs(checkout.refs.base)).has(checkout.refs.base);

const isThere = async ({ folder, entry, readyMark }: Checkout): Promise<boolean> => {
  const parts = await Promise.all([folder, entry, readyMark].map((path) => lstat(path).catch(() => null)));
  return parts.every((part) => part !== null);
};

/** Where the branch is, as far as the worktree's entry says which it is. */
async function branchOf(checkout: Checkout): Promise<readonly string[]> {
  const { stdout, exitCode } = await checkout.inRepo(
    ['rev-parse', '-q', '--verify', `worktrees/${checkout.projectId}/HEAD`],
    {
      answers: [1, 128],
    },
  );
  return exitCode === 0 ? [stdout.toString('utf8').trim()] : [];
}

async function mustBeCommit(checkout: Checkout, commit: string): Promise<void> {
  const { exitCode } = await checkout.inRepo(['cat-file', '-e', `${commit}^{commit}`], { answers: [1, 128] });
  if (exitCode !== 0) throw commitGone(commit);
}

const commitGone = (commit: string): UserError =>
  new UserError(
    'COMMIT_NOT_FOUND',
    `the repository does not have the commit ${commit} any more: it cannot be gone back to. Try an earlier checkpoint.`,
    { commit },
  );
