import { access, lstat, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError, WorldError } from '#kernel';
import { removeTree } from '../remove-tree.js';
import { type Checkout, IGNORES_FILE } from './checkout.js';
import { writeEntry } from './entry.js';
import { notWritable } from './git-failure.js';
import { inspectTree } from './inspect-tree.js';
import { outliveOthers, removeStaleLocks } from './locks.js';
import { resetTo, writeFiles } from './reset.js';
import { resolveRef } from './resolve-ref.js';
import { headOf } from './snapshot.js';

export interface Opening {
  readonly branch: string;
  readonly ref: string;
  readonly signal: AbortSignal;
}

/** Makes the worktree, or makes whole what is there of it. Files that were once complete are left as they are. */
export async function openCheckout(checkout: Checkout, opening: Opening): Promise<{ baseCommit: string }> {
  const { branch, signal } = opening;
  await outliveOthers(checkout);
  await removeStaleLocks(checkout, branch);
  const { baseCommit, start, isNew, ignores } = await begin(checkout, opening);
  const isReady = await isComplete(checkout);
  const hasIgnores = await exists(join(checkout.entry, IGNORES_FILE));
  const names = hasIgnores ? null : (ignores ?? (await inspectTree(checkout, baseCommit, signal)));
  signal.throwIfAborted();
  await writeEntry(checkout, branch, names);
  if (isNew) {
    const head = start === null ? baseCommit : await headOf(checkout, start);
    await createBranch(checkout, branch, head, start !== null);
  }
  if (!isReady) {
    if (start === null) await writeFiles(checkout, 'HEAD', signal);
    else await resetTo(checkout, start);
    await mkdir(dirname(checkout.readyMark), { recursive: true, mode: 0o700 });
    await writeFile(checkout.readyMark, '');
  } else if (!(await exists(join(checkout.entry, 'index')))) {
    // The entry was taken away (git worktree prune) under files that are whole: they are changes to HEAD now.
    await checkout.git(['read-tree', 'HEAD'], { signal });
  }
  if (start !== null) await checkout.inRepo(['update-ref', '-d', checkout.refs.start]);
  return { baseCommit };
}

interface Beginning {
  readonly baseCommit: string;
  /** What the files are to begin as, where somebody said so: a fork, or a restore while there was no worktree. */
  readonly start: string | null;
  /** The branch is still to be made. */
  readonly isNew: boolean;
  readonly ignores: readonly string[] | null;
}

/** The base is written down before the branch is made: a branch without it is somebody else's. */
async function begin(checkout: Checkout, { branch, ref, signal }: Opening): Promise<Beginning> {
  const name = `refs/heads/${branch}`;
  const { base, start } = checkout.refs;
  const refs = await checkout.readRefs(base, start, name);
  const known = refs.get(base);
  if (known !== undefined) {
    return { baseCommit: known, start: refs.get(start) ?? null, isNew: !refs.has(name), ignores: null };
  }
  if (refs.has(name)) throw branchTaken(branch);
  const commit = await resolveRef(checkout, ref);
  const ignores = await inspectTree(checkout, commit, signal);
  await mustBeWritable(checkout);
  await checkout.inRepo(['update-ref', base, commit, '0'.repeat(commit.length)]);
  return { baseCommit: commit, start: null, isNew: true, ignores };
}

async function createBranch(checkout: Checkout, branch: string, head: string, isFork: boolean): Promise<void> {
  if (await makeBranch(checkout, branch, head)) return;
  const name = `refs/heads/${branch}`;
  // Whoever forked has made it at this moment.
  if (isFork && (await checkout.readRefs(name)).get(name) === head) return;
  await checkout.inRepo(['update-ref', '-d', checkout.refs.base]);
  await removeTree(checkout.entry);
  throw branchTaken(branch);
}

/** False where there is one already, or one whose name is in its way. */
export async function makeBranch(checkout: Checkout, branch: string, head: string): Promise<boolean> {
  const zero = '0'.repeat(head.length);
  try {
    await checkout.inRepo(['update-ref', '-m', 'branch of a project', `refs/heads/${branch}`, head, zero]);
    return true;
  } catch (error) {
    if (error instanceof WorldError && /reference already exists|exists; cannot create/.test(error.message))
      return false;
    throw error;
  }
}

const branchTaken = (branch: string): UserError =>
  new UserError(
    'REPO_BRANCH_TAKEN',
    `the repository already has a branch ${branch}, or one whose name is in its way. ` +
      `If you do not need it any more, delete it (git branch -D ${branch}) or rename it, and try again.`,
    { branch },
  );

async function isComplete({ readyMark, folder }: Checkout): Promise<boolean> {
  const found = await lstat(folder).catch(() => null);
  return found?.isDirectory() === true && (await exists(readyMark));
}

async function mustBeWritable({ place, entry }: Checkout): Promise<void> {
  try {
    await mkdir(dirname(entry), { recursive: true });
    await access(place.commonDir, 2);
    await access(dirname(entry), 2);
  } catch (error) {
    throw notWritable(place.commonDir, error);
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
