import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError, WorldError } from '#kernel';
import type { Checkout } from './checkout.js';
import { PROJECT_NAME } from './names.js';

/** No option, no range, no path in a tree, no search of the history, nothing invisible. */
const SOUND = /^(?!-)(?!.*\.\.)(?!.*[@^]\{)[^\s\p{Cc}:?*[\\]{1,250}$/u;

/** The commit that the user's name for it stands for: a branch first, then whatever else git knows by it. */
export async function resolveRef(checkout: Checkout, ref: string): Promise<string> {
  if (!SOUND.test(ref)) {
    throw new UserError('REPO_REF_INVALID', 'repo.ref must be a branch, a tag or a commit', { ref: ref.slice(0, 250) });
  }
  const [commit] = await commitsOf(checkout, `refs/heads/${ref}`, ref);
  return commit ?? refuse(checkout, ref);
}

/** Those that the names stand for, in their order; a name that stands for none, or for several, has none. */
async function commitsOf(checkout: Checkout, ...names: readonly string[]): Promise<readonly string[]> {
  const input = names.map((name) => `${name}^{commit}\n`).join('');
  const { stdout } = await checkout.inRepo(['cat-file', '--batch-check=%(objectname)'], { input, answers: [128] });
  return stdout.toString('utf8').split('\n').filter(isCommitId);
}

async function refuse(checkout: Checkout, ref: string): Promise<never> {
  const { stdout } = await checkout.inRepo(['for-each-ref', '--count=1', '--format=%(objectname)']);
  const path = checkout.place.repo;
  if (stdout.length === 0 && (await commitsOf(checkout, 'HEAD')).length === 0) {
    throw new UserError(
      'REPO_EMPTY',
      `${path} has no commit yet. Make a first one, for instance: git commit --allow-empty -m "First commit"`,
      { path },
    );
  }
  const remote = await checkout.readRefs(`refs/remotes/origin/${ref}`);
  const hint = remote.size > 0 ? `There is origin/${ref}: give that, or make the branch.` : await hintOf(checkout);
  throw new UserError('REPO_REF_NOT_FOUND', `${path} has no branch, tag or commit ${ref}. ${hint}`, { path, ref });
}

async function hintOf(checkout: Checkout): Promise<string> {
  if (await isShallow(checkout))
    return 'The repository is shallow; git fetch --unshallow brings the rest of its history.';
  return 'Run git fetch if it is on a server, and look at git branch -a.';
}

export async function isShallow(checkout: Checkout): Promise<boolean> {
  // As git itself tells it.
  return lstat(join(checkout.place.commonDir, 'shallow')).then(
    () => true,
    () => false,
  );
}

export const isCommitId = (text: string): boolean => /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);

/** A full commit id, as it comes back out of a journal; nothing else is ever handed to git in its place. */
export function mustBeCommitId(commit: string): void {
  if (!isCommitId(commit)) {
    throw new WorldError('COMMIT_INVALID', `${commit.slice(0, 100)} is no commit id`);
  }
}

export function mustBeProjectName(name: string): void {
  if (PROJECT_NAME.test(name) && name.length <= 60) return;
  throw new UserError('PROJECT_NAME_INVALID', 'the name of a project is NNN-slug', { name: name.slice(0, 100) });
}

const PROJECT_ID = /^[0-9a-z][0-9a-z-]{0,63}$/i;

/** It becomes part of paths and of names of refs. */
export function mustBeProjectId(projectId: string): string {
  if (PROJECT_ID.test(projectId)) return projectId;
  throw new UserError('PROJECT_ID_INVALID', 'the id of a project is a UUID', { projectId: projectId.slice(0, 100) });
}
