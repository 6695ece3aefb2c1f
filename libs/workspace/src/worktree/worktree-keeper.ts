import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from '#kernel';
import { ProjectNotes } from '../project-notes.js';
import type { Witness } from '../scratch-keeper.js';
import type { Checkout } from './checkout.js';
import { unlessUnusable } from './find-repository.js';
import type { GitWorktrees } from './git-worktrees.js';
import { BRANCH_PREFIX, refsOf, TRAILERS } from './names.js';
import { makeBranch } from './open-checkout.js';
import type { Worktree, WorktreeWish } from './worktree.port.js';
import { mustBeCommitId } from './resolve-ref.js';
import { headOf } from './snapshot.js';
import { isCutOff, type RestoreNote } from './restore-note.js';

/** What was in a worktree that a restore put back. */
export interface Kept {
  /** The commit that has it; null where nothing was that the commit gone back to, or the branch, does not have. */
  readonly kept: string | null;
  /** Commits of what was changed after an earlier restore that was cut off, and had to be taken back first. */
  readonly since: readonly string[];
}

type Project = Pick<WorktreeWish, 'projectId' | 'name' | 'repo'>;

/** Puts worktrees where a checkpoint says they were. Only for projects that nobody works on. */
export class WorktreeKeeper {
  private readonly notes: ProjectNotes<RestoreNote>;

  constructor(private readonly worktrees: GitWorktrees) {
    this.notes = new ProjectNotes(join(dirname(worktrees.folderOf('x')), '.restoring'));
  }

  /**
   * The files and the branch as a checkpoint has them; null: as they were when the worktree was made. Where there is no
   * worktree (on this host) the next one begins there. Until `settle` is told that the state has followed, which then is
   * of the given incarnation, all of it can be undone, also by another process.
   */
  async reset(project: Project, wish: string | null, incarnation: number): Promise<Kept> {
    const { projectId, repo } = project;
    if (wish !== null) mustBeCommitId(wish);
    const checkout = await this.worktrees.checkoutOf(project);
    const base = await baseOf(checkout);
    if (base === undefined) return NOTHING;
    const commit = wish ?? base;
    await mustBeCommit(checkout, commit);
    if (!(await isWhole(checkout))) {
      await checkout.inRepo(['update-ref', checkout.refs.start, commit]);
      return this.leftBy(projectId, incarnation - 1);
    }
    // Its entry may be gone (git worktree prune) under files that are whole: it is made again, or nothing could be kept.
    if (!(await isThere(checkout.entry))) await this.worktrees.open({ ...project, ref: base }, NEVER);
    const worktree = { ...NOWHERE, projectId, repo };
    // Nobody works on the project, whichever process has opened its worktree last.
    await this.worktrees.takeOver(projectId);
    const since = (await this.undone(worktree, incarnation - 1)) ?? [];
    const kept = await this.worktrees.snapshot(worktree);
    await this.notes.write(projectId, { kept, target: commit, incarnation, since, isUndone: false });
    const head = await this.worktrees.head(worktree);
    await this.worktrees.reset(worktree, commit);
    return { kept: kept === commit || kept === head ? null : kept, since };
  }

  /** A worktree that is to be made begins with the files of this commit, also if whoever makes it dies over it. */
  async beginAt({ projectId, repo }: Omit<Project, 'name'>, commit: string): Promise<void> {
    mustBeCommitId(commit);
    const checkout = await this.worktrees.checkoutOf({ projectId, repo });
    if ((await baseOf(checkout)) === undefined) return;
    await mustBeCommit(checkout, commit);
    await checkout.inRepo(['update-ref', checkout.refs.start, commit]);
  }

  /**
   * A restore is over: its files stay where the state, of this incarnation now, has followed them. Where it has not, as
   * whoever restored died in between, they go back to what they were. The answer says that they did, with the commits of
   * what was changed meanwhile, until `told` is called: null where there is nothing to tell.
   */
  async settle(projectId: string, repo: string, incarnation: number): Promise<readonly string[] | null> {
    const since = await this.undone({ ...NOWHERE, projectId, repo }, incarnation);
    if (since === null) await this.notes.drop(projectId);
    return since;
  }

  /** The project's history says that a restore was taken back. */
  async told(projectId: string): Promise<void> {
    await this.notes.drop(projectId);
  }

  /** What a restore that was cut off had kept, of a worktree that is gone: nobody else will name it. */
  private async leftBy(projectId: string, incarnation: number): Promise<Kept> {
    const note = await this.notes.read(projectId);
    return isCutOff(note, incarnation) ? note : NOTHING;
  }

  /** Null where no restore was cut off. Nothing goes back before what lies there now is a commit that the note names. */
  private async undone(worktree: Worktree, incarnation: number): Promise<readonly string[] | null> {
    const { projectId } = worktree;
    const note = await this.notes.read(projectId);
    if (!isCutOff(note, incarnation)) return null;
    if (note.isUndone) return note.since;
    const now = await this.worktrees.snapshot(worktree);
    const known = [note.kept, note.target, ...note.since];
    const since = (await this.hasFilesOfOne(worktree, now, known)) ? note.since : [...note.since, now];
    await this.notes.write(projectId, { ...note, since });
    await this.worktrees.reset(worktree, note.kept);
    await this.notes.write(projectId, { ...note, since, isUndone: true });
    return since;
  }

  private async hasFilesOfOne(worktree: Worktree, commit: string, others: readonly string[]): Promise<boolean> {
    const checkout = await this.worktrees.checkoutOf(worktree);
    const trees = await checkout.text(['rev-parse', ...[commit, ...others].map((one) => `${one}^{tree}`)]);
    const [own, ...known] = trees.split('\n');
    return known.includes(own ?? '');
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
   * A project that will begin with another one's files at the given commit: its worktree is made from there when it is
   * first opened. One that has begun already is left alone: somebody may work in it.
   */
  async fork(from: string, to: string, repo: string, commit: string): Promise<void> {
    mustBeCommitId(commit);
    const checkout = await this.worktrees.checkoutOf({ projectId: to, repo });
    if ((await baseOf(checkout)) !== undefined) return;
    const origin = refsOf(from);
    const base = (await checkout.readRefs(origin.base)).get(origin.base);
    if (base === undefined) throw commitGone(commit);
    await mustBeCommit(checkout, commit);
    const { refs } = checkout;
    // The start first: a base without it would begin at the base.
    await checkout.inRepo(['update-ref', refs.start, commit]);
    await checkout.inRepo(['update-ref', refs.base, base]);
  }

  /** The branch of a fork that is there, before anybody works on it: it is shown, and may be looked at, from then on. */
  async branchOff({ projectId, name, repo }: Project): Promise<void> {
    const checkout = await this.worktrees.checkoutOf({ projectId, repo });
    const branch = `${BRANCH_PREFIX}${name}`;
    const { start } = checkout.refs;
    const commit = (await checkout.readRefs(start)).get(start);
    // Whoever opens it at this moment makes it too, and may have gone on from there.
    if (commit !== undefined) await makeBranch(checkout, branch, await headOf(checkout, commit));
  }

  /** The same undone, of a project that will never be. */
  async unfork(projectId: string, repo: string): Promise<void> {
    const checkout = await unlessUnusable(this.worktrees.checkoutOf({ projectId, repo }));
    if (checkout === null) return;
    const { base, start } = checkout.refs;
    for (const ref of [base, start]) await checkout.inRepo(['update-ref', '-d', ref]);
  }
}

/** What of a worktree its keeper does not know, and resetting does not need. */
const NOWHERE = { folder: '', branch: '', baseCommit: '' };

const NOTHING: Kept = { kept: null, since: [] };

const NEVER = new AbortController().signal;

const baseOf = async (checkout: Checkout): Promise<string | undefined> =>
  (await checkout.readRefs(checkout.refs.base)).get(checkout.refs.base);

/** All files have been there once, and nobody has taken the folder away. */
const isWhole = async ({ folder, readyMark }: Checkout): Promise<boolean> =>
  (await isThere(folder)) && (await isThere(readyMark));

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

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
