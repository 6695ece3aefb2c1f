import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errorCode, UserError } from '#kernel';
import { mustBePlainEntry, mustBeWithoutLinks } from './plain-repository.js';

/** Where a repository keeps itself. */
export interface RepositoryPlace {
  /** Root of the checkout that the user gave. */
  readonly repo: string;
  /** HEAD and index of that checkout. */
  readonly gitDir: string;
  /** Objects, refs and configuration, shared by all checkouts of the repository. */
  readonly commonDir: string;
}

/** A `.git` file is one line; more than this is none. */
const LONGEST_POINTER = 8_192;

/**
 * Found without git: git would read the repository's configuration first, and refuse one that belongs to somebody else.
 * Which repositories may be worked on has been decided before this.
 */
export async function findRepository(path: string): Promise<RepositoryPlace> {
  const repo = await realpath(path).catch(() => null);
  if (repo === null) throw new UserError('REPO_NOT_FOUND', `there is no folder ${path} on this machine`, { path });
  if (/[\0\n\r]/.test(repo)) {
    throw new UserError('REPO_PATH_INVALID', 'the path of the repository holds a line break; move it elsewhere', {
      path,
    });
  }
  const gitDir = await gitDirOf(repo);
  const commonDir = await commonDirOf(gitDir);
  if (commonDir === null || !(await isGitDir(commonDir))) throw broken(repo, `${gitDir} is no git folder`);
  await mustBePlain({ gitDir, commonDir });
  return { repo, gitDir, commonDir };
}

/** Whether all that finding it would look at is as it was, with one look at each: nothing waits for what another says. */
export async function isStillAt(path: string, { repo, gitDir, commonDir }: RepositoryPlace): Promise<boolean> {
  try {
    const found = await Promise.all([
      realpath(path),
      gitDirOf(repo),
      commonDirOf(gitDir),
      isGitDir(commonDir),
      mustBePlain({ gitDir, commonDir }),
    ]);
    return found[0] === repo && found[1] === gitDir && found[2] === commonDir && found[3];
  } catch {
    // What is wrong with it now is said by who looks for it again.
    return false;
  }
}

async function mustBePlain({ gitDir, commonDir }: Pick<RepositoryPlace, 'gitDir' | 'commonDir'>): Promise<void> {
  await Promise.all([mustBeWithoutLinks(commonDir), gitDir === commonDir ? null : mustBePlainEntry(gitDir)]);
}

async function gitDirOf(repo: string): Promise<string> {
  const dotGit = await stat(join(repo, '.git')).catch(() => null);
  if (dotGit === null) throw await noRepository(repo);
  return dotGit.isDirectory() ? realpath(join(repo, '.git')) : pointedAt(join(repo, '.git'), repo);
}

async function commonDirOf(gitDir: string): Promise<string | null> {
  const common = await line(join(gitDir, 'commondir')).catch(() => null);
  return common === null ? gitDir : realpath(resolve(gitDir, common)).catch(() => null);
}

/** Why a repository that was worked on once is none to work on any more: gone, or not what it was. */
const UNUSABLE = [
  'REPO_NOT_FOUND',
  'REPO_NOT_GIT',
  'REPO_BARE',
  'REPO_BROKEN',
  'REPO_SYMLINKED',
  'REPO_PATH_INVALID',
] as const;

/** Null where the repository that was to be looked into is not one any more. */
export async function unlessUnusable<T>(looked: Promise<T>): Promise<T | null> {
  try {
    return await looked;
  } catch (error) {
    if (UNUSABLE.some((code) => code === errorCode(error))) return null;
    throw error;
  }
}

async function noRepository(repo: string): Promise<UserError> {
  if (await isGitDir(repo)) {
    return new UserError(
      'REPO_BARE',
      `${repo} is a bare repository, without a checkout. Clone it (git clone ${repo} elsewhere) and give the clone.`,
      { path: repo },
    );
  }
  for (let above = dirname(repo); above !== dirname(above); above = dirname(above)) {
    if (await stat(join(above, '.git')).catch(() => null)) {
      return new UserError('REPO_NOT_GIT', `${repo} lies inside the repository ${above}; give that path instead`, {
        path: repo,
        root: above,
      });
    }
  }
  return new UserError('REPO_NOT_GIT', `${repo} is not a git repository; run git init there, and commit`, {
    path: repo,
  });
}

async function pointedAt(file: string, repo: string): Promise<string> {
  const target = /^gitdir: (.+)$/.exec(await line(file).catch(() => ''))?.[1];
  const gitDir = target === undefined ? null : await realpath(resolve(repo, target)).catch(() => null);
  if (gitDir === null) throw broken(repo, `its .git file points to ${target ?? 'nothing'}, which is not there`);
  return gitDir;
}

async function line(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > LONGEST_POINTER) throw new Error(`${file} is too long`);
  return (await readFile(file, 'utf8')).trim();
}

const isGitDir = async (path: string): Promise<boolean> => {
  const parts = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => stat(join(path, name)).catch(() => null)));
  return parts.every((part) => part !== null);
};

const broken = (repo: string, why: string): UserError =>
  new UserError(
    'REPO_BROKEN',
    `${repo} is not a sound git repository: ${why}. Try git worktree repair, or clone anew.`,
    {
      path: repo,
    },
  );
