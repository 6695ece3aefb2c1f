import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EffectRun } from '#engine';
import { newId } from '#kernel';
import { tempFolder } from '#testing';
import { GitWorktrees, type GitWorktreesParts } from './git-worktrees.js';
import type { Worktree, WorktreeWish } from './worktree.port.js';
import { writeFiles } from './write-files.fixture.js';

export { writeFiles };

export const SIGNAL = new AbortController().signal;
/** Where git is; given by the spec that makes the first world. */
let searchPath = '';

/** A user's repository, and worktrees beside it. */
export interface World {
  readonly folder: string;
  readonly repo: string;
  readonly root: string;
  readonly path: string;
  readonly worktrees: GitWorktrees;
  /** As the user does it: with a configuration of their own. */
  git(...args: string[]): string;
  /** Writes files of the user's checkout. */
  write(files: Readonly<Record<string, string>>): void;
  commit(files: Readonly<Record<string, string>>): string;
  /** A fresh process on the same folders. */
  again(parts?: Partial<GitWorktreesParts>): GitWorktrees;
  open(wish?: Partial<WorktreeWish>): Promise<Worktree>;
  /** All that must not change: HEAD, index, configuration, refs other than ours, and what git says of the files. */
  userState(): Record<string, string>;
  remove(): Promise<void>;
}

export function newWorld(path: string | undefined): World {
  searchPath = path ?? '';
  const folder = tempFolder('worktree');
  const [repo, root] = [join(folder.path, 'repo'), join(folder.path, 'data', 'worktrees')];
  mkdirSync(repo);
  const git = gitIn(repo);
  git('init', '-q', '-b', 'main');
  const again = (parts = {}): GitWorktrees => new GitWorktrees({ root, path: searchPath, ...parts });
  const worktrees = again();
  const write = (files: Readonly<Record<string, string>>): void => writeFiles(repo, files);
  const commit = (files: Readonly<Record<string, string>>): string => {
    write(files);
    git('add', '-A');
    git('commit', '-q', '-m', 'by the user');
    return git('rev-parse', 'HEAD');
  };
  commit({ 'a.txt': 'one\n', 'src/b.ts': 'export const b = 1;\n', '.gitignore': 'ignored/\n*.log\n' });
  return {
    folder: folder.path,
    repo,
    root,
    path: searchPath,
    worktrees,
    git,
    write,
    commit,
    again,
    open: (wish = {}) =>
      worktrees.open({ projectId: newId(), name: '001-first-work', repo, ref: 'main', ...wish }, SIGNAL),
    userState: () => ({
      head: readFileSync(join(repo, '.git', 'HEAD'), 'utf8'),
      index: readFileSync(join(repo, '.git', 'index')).toString('hex'),
      config: readFileSync(join(repo, '.git', 'config'), 'utf8'),
      refs: git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/main', 'refs/heads/mine', 'refs/tags'),
      status: git('--no-optional-locks', 'status', '--porcelain', '-uall'),
      stash: git('stash', 'list'),
    }),
    remove: () => folder.remove(),
  };
}

export const gitIn =
  (cwd: string) =>
  (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@localhost', ...args], {
      cwd,
      encoding: 'utf8',
      env: { PATH: searchPath, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();

export const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');

export const effectRun = (projectId: string, step = 'commit'): EffectRun => ({
  key: `${projectId}/1/1/${step}`,
  attempt: 1,
  tell: () => undefined,
  lease: { projectId, workerId: 'w', epoch: 1 },
  signal: SIGNAL,
});

export const checkpoint = { seq: 7, checksum: `sha256:${'c'.repeat(64)}` };
