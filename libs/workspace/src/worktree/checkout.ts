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
  /** Whether what git writes is kept out of the repository. */
  readonly hidesObjects?: boolean;
}

export interface HiddenPlace {
  readonly folder: string;
  readonly objects: string;
  readonly index: string;
}

export function hiddenPlaceOf(root: string, projectId: string): HiddenPlace {
  const folder = join(root, '.hidden', projectId);
  return { folder, objects: join(folder, 'objects'), index: join(folder, 'index') };
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
  /** Objects and an index beside the repository's own. Agents see nothing of it. */
  readonly hidden: HiddenPlace;
  readonly hidesObjects: boolean;
  readonly refs: ProjectRefs;
  private readonly tool: Git;
  private readonly inFolder: GitPlace;
  private readonly inRepository: GitPlace;

  constructor(parts: CheckoutParts) {
    const { git, place, view, root, projectId, hidesObjects = false } = parts;
    this.parts = parts;
    this.projectId = projectId;
    this.place = place;
    this.view = view;
    this.tool = git;
    this.folder = join(root, projectId);
    this.entry = join(place.commonDir, 'worktrees', projectId);
    this.readyMark = join(root, '.ready', projectId);
    this.keptList = join(root, '.kept', projectId);
    this.hidden = hiddenPlaceOf(root, projectId);
    this.hidesObjects = hidesObjects;
    this.refs = refsOf(projectId);
    const env = {
      GIT_COMMON_DIR: view,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.excludesFile',
      GIT_CONFIG_VALUE_0: join(this.entry, IGNORES_FILE),
      [PROCESS_MARK]: markOf(projectId),
      ...(hidesObjects && {
        GIT_OBJECT_DIRECTORY: this.hidden.objects,
        // A path between quotes may hold a colon.
        GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(place.commonDir, 'objects')),
      }),
    };
    this.inFolder = {
      cwd: this.folder,
      env: {
        ...env,
        GIT_DIR: this.entry,
        GIT_WORK_TREE: this.folder,
        ...(hidesObjects && { GIT_INDEX_FILE: this.hidden.index }),
      },
    };
    this.inRepository = { cwd: place.repo, env: { ...env, GIT_DIR: place.gitDir, GIT_WORK_TREE: place.repo } };
  }

  /** The same, but what git writes here is kept out of the repository. */
  hiding(): Checkout {
    return new Checkout({ ...this.parts, hidesObjects: true });
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
