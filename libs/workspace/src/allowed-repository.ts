import { realpath } from 'node:fs/promises';
import { isAbsolute, sep } from 'node:path';
import { UserError } from '#kernel';
import { findRepository } from './worktree/find-repository.js';

/** The real path of a repository that the service may work on; anything else is refused with the reason. */
export async function allowedRepository(path: string, roots: readonly string[]): Promise<string> {
  if (!isAbsolute(path)) throw new UserError('REPO_PATH_INVALID', 'repo.path must be an absolute path', { path });
  const real = await realpath(path).catch(() => null);
  if (real === null) throw new UserError('REPO_NOT_FOUND', `there is no folder ${path} on this machine`, { path });
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  const isBelow = (one: string): boolean =>
    realRoots.some((root) => one === root || one.startsWith(root.endsWith(sep) ? root : root + sep));
  if (!isBelow(real)) {
    const where = roots.length > 0 ? roots.join(', ') : 'no folder at all';
    const remedy = 'move it there, or start the service with its folder among them';
    throw new UserError('REPO_NOT_ALLOWED', `${path} is not below QRALPH_REPO_ROOTS (${where}); ${remedy}`, { path });
  }
  await mustKeepItselfBelow(real, isBelow);
  return real;
}

/** A `.git` can name another folder in several ways, and that is where the project's branch would be written to. */
async function mustKeepItselfBelow(repo: string, isBelow: (path: string) => boolean): Promise<void> {
  const { gitDir, commonDir } = await findRepository(repo);
  const elsewhere = [gitDir, commonDir].find((folder) => !isBelow(folder));
  if (elsewhere === undefined) return;
  throw new UserError(
    'REPO_NOT_ALLOWED',
    `${repo} keeps itself in ${elsewhere}, which is not below QRALPH_REPO_ROOTS. Give the repository itself, or add that folder.`,
    { path: repo, elsewhere },
  );
}
