import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, realpath, rename } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { UserError } from '#kernel';
import { removeTree } from '../remove-tree.js';
import { isReachedPlainly, kindOf } from './plain-file.js';

/** Files of settings and test data, not archives. */
const MOST_BYTES = 50 * 1024 * 1024;
const MOST_FILES = 100;

/** Throws for what can be no path of an untracked file in a checkout; for requests, before anything has begun. */
export function checkCopyPaths(paths: readonly string[]): void {
  if (paths.length > MOST_FILES) {
    throw new UserError(
      'COPY_TOO_MANY',
      `copy names ${String(paths.length)} files; name at most ${String(MOST_FILES)}`,
    );
  }
  for (const path of paths) {
    const refuse = (why: string): UserError =>
      new UserError('COPY_PATH_INVALID', `copy: ${JSON.stringify(path)} ${why}`, { path });
    if (path === '' || path.includes('\0') || path.length > 1_000) throw refuse('is no path of a file');
    if (isAbsolute(path)) throw refuse('is not relative; name it from the root of the repository');
    const parts = path.split(/[/\\]/);
    if (parts.includes('..')) throw refuse('leads out of the repository');
    if (parts.some((part) => part.toLowerCase() === '.git')) throw refuse('is a part of git itself');
  }
}

/** Where a copy lies while it is being made. */
const partOf = (path: string): string => `${path}.qralph-part`;

/** Every name that copying these leaves in a worktree, also if it is cut short. */
export const copiedNames = (paths: readonly string[]): string[] =>
  paths.map((path) => normalize(path)).flatMap((path) => [path, partOf(path)]);

/**
 * Copies files that git does not know from the user's checkout into the worktree, as they are: links are refused on
 * both sides, because they may lead anywhere. Returns the paths. A file that cannot be copied is a UserError that says
 * why; safe to repeat.
 */
export async function copyFiles(checkout: string, worktree: string, paths: readonly string[]): Promise<string[]> {
  checkCopyPaths(paths);
  const copied: string[] = [];
  for (const path of paths.map((one) => normalize(one))) {
    await checkSource(checkout, path);
    await checkTarget(worktree, path);
    const target = join(worktree, path);
    await mkdir(dirname(target), { recursive: true });
    // Replaced as a whole: what a crash left half-done, or what is there under a second name, is not written to.
    await removeTree(partOf(target));
    await copyFile(join(checkout, path), partOf(target), constants.COPYFILE_FICLONE);
    await rename(partOf(target), target);
    copied.push(path);
  }
  return copied;
}

async function checkSource(checkout: string, path: string): Promise<void> {
  const source = join(checkout, path);
  const kind = await kindOf(source);
  const refuse = (code: string, why: string): UserError => new UserError(code, `copy: ${path} ${why}`, { path });
  if (kind === null)
    throw refuse('COPY_FILE_MISSING', `is not in ${checkout}; create it there, or leave it out of copy`);
  if (kind !== 'file') throw refuse('COPY_NOT_A_FILE', 'is not a plain file; name files one by one');
  if ((await realpath(source)) !== join(await realpath(checkout), path)) {
    throw refuse('COPY_PATH_INVALID', 'lies behind a link; name a file of the repository itself');
  }
  const { size } = await lstat(source);
  if (size > MOST_BYTES) {
    throw refuse('COPY_TOO_LARGE', `has ${String(size)} bytes; at most ${String(MOST_BYTES)} are copied`);
  }
}

/** The worktree holds files of the repository, links among them. */
async function checkTarget(worktree: string, path: string): Promise<void> {
  const kind = await kindOf(join(worktree, path));
  if ((kind === null || kind === 'file') && (await isReachedPlainly(worktree, path))) return;
  const why = 'cannot be put into the worktree: the repository has a link or a folder there';
  throw new UserError('COPY_PATH_INVALID', `copy: ${path} ${why}`, { path });
}
