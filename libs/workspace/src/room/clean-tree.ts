import { isAbsolute, normalize } from 'node:path';
import { UserError } from '#kernel';
import type { CleanTree } from '../workshop.port.js';
import { mustBeCommitId } from '../worktree/resolve-ref.js';

const LONGEST_PATH = 1_000;

/** Throws if a commit is not a commit id, or a path is not that of a file in the repository. */
export function checkCleanTree({ commit, overlays = [], files = [] }: CleanTree): void {
  mustBeCommitId(commit);
  for (const { from, paths } of overlays) {
    mustBeCommitId(from);
    paths.forEach(checkPath);
  }
  for (const { path } of files) checkPath(path);
}

function checkPath(path: string): void {
  if (path === '' || path === '.' || path.length > LONGEST_PATH || path.includes('\0')) {
    throw invalidPath(path, 'is no path of a file');
  }
  if (isAbsolute(path)) throw invalidPath(path, 'is not relative to the root of the repository');
  const parts = path.split('/');
  if (parts.includes('..')) throw invalidPath(path, 'leads out of the repository');
  if (parts.some(isGitFolder)) throw invalidPath(path, 'is a part of git itself');
  if (normalize(path) !== path || path.endsWith('/')) throw invalidPath(path, 'is not written in its shortest form');
}

/** Some file systems take these names for `.git` too. */
const isGitFolder = (part: string): boolean => /^(?:\.git|git~1)[. ]*$/i.test(part);

export const invalidPath = (path: string, why: string): UserError => {
  const shown = path.slice(0, 200);
  const remedy = 'Name a file of the repository by its path from the root.';
  return new UserError('CLEAN_PATH_INVALID', `${JSON.stringify(shown)} ${why}. ${remedy}`, { path: shown });
};
