import { join } from 'node:path';
import type { RepositoryPlace } from './find-repository.js';
import type { Git, GitOptions, GitOutput, GitPlace } from './git.js';
import { markOf } from './process-mark.js';
import { PROCESS_MARK, type ProjectRefs, refsOf } from './names.js';

/** Folders of dependencies and caches that no commit should hold, even where the repository forgot to ignore them. */
export const IGNORES_FILE = 'qralph-ignores';

export interface CheckoutParts {
  readonly git: Git;
  readonly place: RepositoryPlace;
  /** What git may see of the repository. */
  readonly view: string;
  readonly root: string;
  readonly projectId: string;
}

/**
 * One project's worktree: the folder, and git's own entry for it in the repository. Git is always told where both are:
 * the `.git` file in the folder can be written by whoever works there, and is never followed.
 */
export class Checkout {
  private readonly parts: CheckoutParts;
  readonly projectId: string;
  readonly place: RepositoryPlace;
  readonly view: string;
  readonly folder: string;
  /** HEAD and index of the worktree. */
  readonly entry: string;
  /** There once all files have been written for the first time. */
  readonly readyMark: string;
  /** Names the files that were only brought along. */
  readonly keptList: string;
  readonly refs: ProjectRefs;
  private readonly tool: Git;
  private readonly inFolder: GitPlace;
  private readonly inRepository: GitPlace;

  constructor(parts: CheckoutParts) {
    const { git, place, view, root, projectId } = parts;
    this.parts = parts;
    this.projectId = projectId;
    this.place = place;
    this.view = view;
    this.tool = git;
    this.folder = join(root, projectId);
    this.entry = join(place.commonDir, 'worktrees', projectId);
    this.readyMark = join(root, '.ready', projectId);
    this.keptList = join(root, '.kept', projectId);
    this.refs = refsOf(projectId);
    const env = {
      GIT_COMMON_DIR: view,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.excludesFile',
      GIT_CONFIG_VALUE_0: join(this.entry, IGNORES_FILE),
      [PROCESS_MARK]: markOf(projectId),
    };
    this.inFolder = { cwd: this.folder, env: { ...env, GIT_DIR: this.entry, GIT_WORK_TREE: this.folder } };
    this.inRepository = { cwd: place.repo, env: { ...env, GIT_DIR: place.gitDir, GIT_WORK_TREE: place.repo } };
  }

  /** Another checkout of the same repository. */
  beside(root: string, projectId: string): Checkout {
    return new Checkout({ ...this.parts, root, projectId });
  }

  /** On the worktree's own files, index and HEAD. */
  git(args: readonly string[], options?: GitOptions): Promise<GitOutput> {
    return this.tool.run(args, this.inFolder, options);
  }

  text(args: readonly string[], options?: GitOptions): Promise<string> {
    return this.tool.text(args, this.inFolder, options);
  }

  script(what: string, lines: string, args: readonly string[], options?: GitOptions): Promise<GitOutput> {
    return this.tool.script(what, lines, args, this.inFolder, options);
  }

  /** With the user's HEAD, and able to read only what it is asked for; also while there is no worktree. */
  inRepo(args: readonly string[], options?: GitOptions): Promise<GitOutput> {
    return this.tool.run(args, this.inRepository, options);
  }

  /** The given refs that are there, by name. */
  async readRefs(...names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { stdout } = await this.inRepo(['for-each-ref', '--format=%(objectname) %(refname)', ...names]);
    const lines = stdout
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '');
    return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
  }
}
