import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActivityContext, EffectRun } from '#engine';
import { type Redactor, secrets } from '#kernel';
import { Checkout, hiddenPlaceOf } from './checkout.js';
import { CommitRanges } from './commit-ranges.js';
import { commitAll, commitFiles, findByEffect, messageOf } from './commit.js';
import { fileAt, sizesAt } from './file-at.js';
import { findTests } from './find-tests.js';
import { findRepository, type RepositoryPlace, unlessUnusable } from './find-repository.js';
import { Git, type GitParts } from './git.js';
import { Holders } from './holders.js';
import { openHidden } from './hidden-objects.js';
import { addKeptFiles } from './kept-files.js';
import { KnownPlaces } from './known-places.js';
import { KnownWorktrees } from './known-worktrees.js';
import { readMap } from './map/read-map.js';
import { ignoredIn } from './outside-commits.js';
import { outliveOthers, removeStaleLocks } from './locks.js';
import { BRANCH_PREFIX, refsOf } from './names.js';
import { notesOn } from './notes.js';
import { openCheckout } from './open-checkout.js';
import { removeEntry, removeRemains } from './remove.js';
import { commitSnapshot, resetTo } from './reset.js';
import { pendingIn } from './pending.js';
import { mustBeCommitId, mustBeProjectId, mustBeProjectName, resolveRef } from './resolve-ref.js';
import { mustBePlainEntry, mustHavePlainRefs } from './plain-repository.js';
import { realFolder } from './real-folder.js';
import { RepositoryViews } from './repository-views.js';
import { looseHead, Snapshots } from './snapshot.js';
import { takenNumber } from './taken-number.js';
import { treeWithoutReadable } from './tree.js';
import { Turns } from './turns.js';
import type {
  FileAt, ForeignFile, Made, Pending, RepositoryMap, Worktree, WorktreeDiff, Worktrees, WorktreeWish,
} from './worktree.port.js'; // prettier-ignore

export interface GitWorktreesParts extends Omit<GitParts, 'home'> {
  /** Folder below the data folder where the worktrees lie. */
  readonly root: string;
}

/**
 * Worktrees of users' repositories by git itself. Only the holder of a project's lease works on its worktree; several
 * projects work on one repository at once. Every call may be made again after a crash at any moment of an earlier one.
 */
export class GitWorktrees implements Worktrees {
  private readonly git: Git;
  private readonly views: RepositoryViews;
  private readonly redactor: Redactor;
  private readonly snapshots = new Snapshots();
  private readonly known = new KnownWorktrees();
  private readonly places = new KnownPlaces();
  private readonly ranges: CommitRanges;
  private readonly turns = new Turns();
  /** By project: the commit whose tree was asked for last. It has no other, ever. */
  private readonly trees = new Map<string, { readonly commit: string; readonly tree: string }>();
  private readonly holders: Holders;
  private readonly root: string;

  constructor(parts: GitWorktreesParts) {
    this.root = realFolder(parts.root);
    this.git = new Git({ ...parts, home: this.root });
    this.views = new RepositoryViews(join(this.root, '.views'), this.git);
    this.redactor = parts.redactor ?? secrets;
    this.ranges = new CommitRanges(this.redactor);
    this.holders = new Holders(join(this.root, '.holders'));
  }

  async open(wish: WorktreeWish, signal: AbortSignal): Promise<Worktree> {
    mustBeProjectName(wish.name);
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    const branch = `${BRANCH_PREFIX}${wish.name}`;
    return this.turns.take(wish.projectId, async () => {
      const checkout = await this.checkoutOf(wish);
      if (await this.holders.isHeld(wish.projectId)) {
        const known = await this.known.find(checkout, branch);
        signal.throwIfAborted();
        if (known !== null) return known;
      }
      this.snapshots.forget(wish.projectId);
      this.known.forget(wish.projectId);
      const hadHolder = await this.holders.replace(wish.projectId);
      // Side by side, and neither is left running when the other one fails.
      const notes = notesOn(checkout, signal);
      const opened = openCheckout(checkout, { branch, ref: wish.ref, signal });
      await Promise.allSettled([opened, notes]);
      const { baseCommit } = await opened;
      if (!hadHolder) await this.holders.take(wish.projectId);
      const { projectId, place, folder } = checkout;
      return this.known.learn({ projectId, repo: place.repo, folder, branch, baseCommit, notes: await notes });
    });
  }

  /** The commit that a project's branch would begin at now; a UserError (REPO_…) where there is none. */
  async commitAt({ ref, ...project }: Pick<WorktreeWish, 'projectId' | 'repo' | 'ref'>): Promise<string> {
    return resolveRef(await this.checkoutOf(project), ref);
  }

  /** The highest number of a project in the repository: the next one's name has a higher one. */
  async takenNumber(project: Pick<WorktreeWish, 'projectId' | 'repo'>): Promise<number> {
    return takenNumber(await this.checkoutOf(project));
  }

  async head(worktree: Worktree): Promise<string> {
    const checkout = await this.checkoutOf(worktree);
    return (await looseHead(checkout)).commit ?? checkout.text(['rev-parse', 'HEAD']);
  }

  snapshot(worktree: Worktree): Promise<string> {
    return this.working(worktree, (checkout) => this.snapshots.take(checkout));
  }

  async reset(worktree: Worktree, commit: string, head?: string): Promise<void> {
    for (const id of [commit, head ?? commit]) mustBeCommitId(id);
    this.snapshots.forget(worktree.projectId);
    const known = head ?? this.snapshots.headBeside(worktree.projectId, commit);
    await this.working(worktree, (checkout) => resetTo(checkout, commit, known));
  }

  commit(
    worktree: Worktree,
    message: string,
    checkpoint: ActivityContext['checkpoint'],
    run: EffectRun,
  ): Promise<string> {
    const clean = this.redactor.redact(message);
    return this.working(worktree, (checkout) => commitAll(checkout, clean, checkpoint, run));
  }

  async commitSnapshot(
    worktree: Worktree,
    snapshot: string,
    message: string,
    checkpoint: ActivityContext['checkpoint'],
    run: EffectRun,
  ): Promise<string | null> {
    mustBeCommitId(snapshot);
    const { projectId } = worktree;
    this.snapshots.forget(projectId);
    const text = messageOf(this.redactor.redact(message), checkpoint, run);
    const head = this.snapshots.headBeside(projectId, snapshot);
    const commit = await this.working(worktree, (checkout) => commitSnapshot(checkout, snapshot, text, head));
    if (commit !== null) this.snapshots.stands(projectId, commit, commit);
    return commit;
  }

  commitFiles(
    worktree: Worktree,
    files: readonly ForeignFile[],
    message: string,
    checkpoint: ActivityContext['checkpoint'],
    run: EffectRun,
  ): Promise<string> {
    this.snapshots.forget(worktree.projectId);
    return this.working(worktree, async (checkout) => {
      // It may have been made, and what follows it have failed.
      const made = await findByEffect(checkout, worktree.baseCommit, run);
      const commit = made ?? (await commitFiles(checkout, files, this.redactor.redact(message), checkpoint, run));
      await resetTo(checkout, commit);
      return commit;
    });
  }

  async files(worktree: Worktree, most: number): Promise<readonly string[]> {
    const { stdout } = await (await this.checkoutOf(worktree)).git(['ls-tree', '-r', '--name-only', '-z', 'HEAD']);
    return stdout.toString('utf8').split('\0').filter(Boolean).slice(0, most);
  }

  async map(worktree: Worktree): Promise<RepositoryMap> {
    return readMap(await this.checkoutOf(worktree), this.redactor);
  }

  async fileAt(project: Pick<Worktree, 'projectId' | 'repo'>, commit: string, path: string): Promise<FileAt | null> {
    return fileAt(await this.checkoutOf(project), commit, path);
  }

  async sizesAt(project: Pick<Worktree, 'projectId' | 'repo'>, commit: string, paths: readonly string[]) {
    return sizesAt(await this.checkoutOf(project), commit, paths);
  }

  async tree(worktree: Worktree, commit: string): Promise<string> {
    mustBeCommitId(commit);
    const { projectId } = worktree;
    const known = this.trees.get(projectId);
    if (known?.commit === commit) return known.tree;
    const tree = await treeWithoutReadable(await this.checkoutOf(worktree), commit);
    this.trees.set(projectId, { commit, tree });
    return tree;
  }

  async findCommit(worktree: Worktree, run: EffectRun): Promise<string | null> {
    mustBeCommitId(worktree.baseCommit);
    return findByEffect(await this.checkoutOf(worktree), worktree.baseCommit, run);
  }

  async diff(worktree: Worktree, from: string, to: string): Promise<WorktreeDiff> {
    return this.ranges.diff(await this.checkoutOf(worktree), from, to);
  }

  made(project: Pick<Worktree, 'projectId' | 'repo'>, from: string, to: string): Promise<Made> {
    return this.ranges.madeBetween(project, from, to, () => this.checkoutOf(project));
  }

  async pending(worktree: Pick<Worktree, 'projectId' | 'repo'>, commit: string | null): Promise<Pending | null> {
    return pendingIn(await this.checkoutOf(worktree), commit);
  }

  async diffOfTests(worktree: Worktree, from: string, to: string, also?: ReadonlySet<string>): Promise<WorktreeDiff> {
    return this.ranges.diffOfTests(await this.checkoutOf(worktree), from, to, also);
  }

  async findTests(worktree: Worktree, commit: string, paths: readonly string[]): Promise<readonly string[]> {
    return findTests(await this.checkoutOf(worktree), commit, paths);
  }

  remove({ projectId, repo }: Pick<Worktree, 'projectId' | 'repo'>): Promise<void> {
    this.snapshots.forgetAll(projectId);
    this.trees.delete(projectId);
    this.known.forget(projectId);
    this.ranges.forget(projectId);
    return this.turns.take(projectId, async () => {
      const folder = join(this.root, mustBeProjectId(projectId));
      const ofProject = (name: string): string => join(this.root, name, projectId);
      const hidden = hiddenPlaceOf(this.root, projectId).folder;
      await removeRemains({ folder, readyMark: ofProject('.ready'), keptList: ofProject('.kept'), hidden });
      // Where the repository is none any more there is nothing of the project's in it to be taken away.
      const place = await unlessUnusable(findRepository(repo));
      if (place !== null) await removeEntry(join(place.commonDir, 'worktrees', projectId));
      await this.holders.forget(projectId);
    });
  }

  /** This process works there from now on, whoever did before: only for one that nobody works on. */
  async takeOver(projectId: string): Promise<void> {
    this.snapshots.forgetAll(projectId);
    if (!(await this.holders.isHeld(projectId)) && (await this.holders.replace(projectId)))
      this.known.forget(projectId);
  }

  mustHold({ projectId }: Pick<Worktree, 'projectId'>): Promise<void> {
    return this.holders.mustHold(mustBeProjectId(projectId));
  }

  /** Files that no snapshot or commit is to hold, and no reset to take away: what was only brought along. */
  keepOut(worktree: Worktree, paths: readonly string[]): Promise<void> {
    return this.working(worktree, (checkout) => addKeptFiles(checkout, paths));
  }

  /** Whether HEAD holds this file or folder: then it is the repository's own. */
  async isTracked(worktree: Pick<Worktree, 'projectId' | 'repo'>, path: string): Promise<boolean> {
    return (await (await this.checkoutOf(worktree)).text(['ls-tree', '--name-only', '-z', 'HEAD', '--', path])) !== '';
  }

  /** What no commit holds and no reset takes away; a folder of nothing else is one path, with a slash at its end. */
  async ignored(worktree: Pick<Worktree, 'projectId' | 'repo'>): Promise<readonly string[]> {
    return ignoredIn(await this.checkoutOf(worktree));
  }

  /** Where the project's worktree lies, if it has one. */
  folderOf(projectId: string): string {
    return join(this.root, mustBeProjectId(projectId));
  }

  /** What the others are made of, for those who keep worktrees of projects that nobody works on. */
  async checkoutOf(project: Pick<Worktree, 'projectId' | 'repo' | 'hidesSnapshots'>): Promise<Checkout> {
    const { projectId, repo, hidesSnapshots = false } = project;
    mustBeProjectId(projectId);
    if (hidesSnapshots) return openHidden((await this.checkoutOf({ projectId, repo })).hiding());
    const last = this.places.last(repo);
    // Looked at beside the place that it is in: nearly always that is where it was.
    const likely = last && this.plainCheckout(last, projectId);
    const [found, guessed] = await Promise.allSettled([this.places.of(repo), likely]);
    if (found.status === 'rejected') throw found.reason;
    if (!likely || found.value !== last) return this.plainCheckout(found.value, projectId);
    if (guessed.status === 'rejected') throw guessed.reason;
    return likely;
  }

  private async plainCheckout(place: RepositoryPlace, projectId: string): Promise<Checkout> {
    const [view] = await Promise.all([
      this.views.of(place),
      mustBePlainEntry(join(place.commonDir, 'worktrees', projectId)),
      mustHavePlainRefs(place.commonDir, Object.values(refsOf(projectId)) as string[]),
    ]);
    return new Checkout({ git: this.git, place, view, root: this.root, projectId });
  }

  private async working<T>(worktree: Worktree, work: (checkout: Checkout) => Promise<T>): Promise<T> {
    return this.turns.take(worktree.projectId, async () => {
      const [checkout] = await Promise.all([this.checkoutOf(worktree), this.holders.mustHold(worktree.projectId)]);
      // Where this process has opened it, whoever worked there before was outlived then, and nobody came since.
      if (!this.known.has(worktree.projectId)) await outliveOthers(checkout);
      await removeStaleLocks(checkout);
      return work(checkout);
    });
  }
}
