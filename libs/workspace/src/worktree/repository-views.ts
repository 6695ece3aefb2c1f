import { mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, sha256Hex, UserError, WorldError } from '#kernel';
import { newMarkedFolder, sweepLeftFolders } from '../left-folders.js';
import { removeTree } from '../remove-tree.js';
import type { RepositoryPlace } from './find-repository.js';
import type { Git } from './git.js';
import { notWritable } from './git-failure.js';
import { viewConfig } from './view-config.js';

/** What of a repository git may see and use; hooks and configuration are not among it. */
const LINKED = ['objects', 'refs', 'packed-refs', 'reftable', 'logs', 'info', 'shallow', 'worktrees'];

/** Folders beside the views that last a moment, unless their process is killed. */
const MADE = '.made-';
const INSPECTED = '.inspected-';

/** For an index of a commit's own, and files that are not there. */
export const newInspection = (view: string): Promise<string> => newMarkedFolder(dirname(view), INSPECTED);

/**
 * A repository as git may see it: a folder of links to the repository's own, with a configuration of ours. A repository's
 * configuration can name programs that git starts (filters, fsmonitor, drivers of diffs, trailers, helpers, hooks …), and
 * it is as much a stranger's as its files are. Git takes this folder for the common one (GIT_COMMON_DIR).
 */
export class RepositoryViews {
  /** By repository: what its configuration looked like when its view was last brought up to date. */
  private readonly fresh = new Map<string, { stamp: string; view: string }>();

  constructor(
    private readonly root: string,
    private readonly git: Git,
  ) {}

  async of({ commonDir }: RepositoryPlace): Promise<string> {
    const found = await stat(join(commonDir, 'config'), { bigint: true }).catch(() => null);
    const stamp = found === null ? 'none' : `${String(found.ino)} ${String(found.mtimeNs)} ${String(found.size)}`;
    const known = this.fresh.get(commonDir);
    if (known?.stamp === stamp && (await stat(known.view).catch(() => null)) !== null) return known.view;
    const view = await this.made(commonDir);
    this.fresh.set(commonDir, { stamp, view });
    return view;
  }

  /** Makes the view, or brings its configuration up to date; a process does so when it first sees the repository. */
  private async made(commonDir: string): Promise<string> {
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    for (const prefix of [MADE, INSPECTED]) await sweepLeftFolders(this.root, prefix);
    const view = join(this.root, sha256Hex(commonDir).slice(0, 24));
    const config = await this.configOf(commonDir);
    const present = await readFile(join(view, 'config'), 'utf8').catch(() => null);
    if (present === config) return view;
    const made = await newMarkedFolder(this.root, MADE);
    try {
      await writeFile(join(made, 'config'), config);
      if (present !== null) {
        await rename(join(made, 'config'), join(view, 'config'));
        return view;
      }
      // Git wants one in every common folder; the checkouts have their own.
      await writeFile(join(made, 'HEAD'), 'ref: refs/heads/none\n');
      // Where the repository has no log of its branches yet git would fail at a link that leads nowhere.
      await mkdir(join(commonDir, 'logs'), { recursive: true }).catch((error: unknown) => {
        throw notWritable(commonDir, error);
      });
      for (const name of LINKED) await symlink(join(commonDir, name), join(made, name));
      await rename(made, view);
      return view;
    } catch (error) {
      // Another one came first: it made the same.
      if (['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) return view;
      throw error;
    } finally {
      await removeTree(made);
    }
  }

  private async configOf(commonDir: string): Promise<string> {
    const config = join(commonDir, 'config');
    try {
      const place = { cwd: commonDir, env: { GIT_DIR: commonDir } };
      const { stdout } = await this.git.run(['config', '--file', config, '--no-includes', '--list', '-z'], place);
      return viewConfig(stdout.toString('utf8'));
    } catch (error) {
      if (!(error instanceof WorldError) || error.code !== 'GIT_FAILED') throw error;
      throw new UserError(
        'REPO_BROKEN',
        `${config} cannot be read: ${error.message}. Mend that file.`,
        {},
        { cause: error },
      );
    }
  }
}
