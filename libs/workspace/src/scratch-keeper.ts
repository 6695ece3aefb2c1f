import { execFile } from 'node:child_process';
import { access, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode, errorMessage, WorldError } from '#kernel';
import { CHECKPOINT_TRAILER } from './git-scratch.js';
import { removeTree } from './remove-tree.js';

export interface Witness {
  readonly seq: number;
  readonly checksum: string;
}

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;

/** Puts scratch repositories where a checkpoint says they were. Only for projects that nobody works on. */
export class ScratchKeeper {
  constructor(
    private readonly root: string,
    private readonly path: string,
  ) {}

  /** Null: as it was made. */
  async reset(project: string, wish: string | null): Promise<void> {
    const folder = join(this.root, project);
    if (!(await exists(join(folder, '.git')))) return;
    await rm(join(folder, '.git', 'index.lock'), { force: true });
    const commit =
      wish ?? (await this.git(['-C', folder, 'rev-list', '--max-parents=0', 'HEAD'])).trim().split('\n')[0];
    await this.git(['-C', folder, 'reset', '-q', '--hard', commit ?? 'HEAD']);
    await this.git(['-C', folder, 'clean', '-fdq']);
  }

  /** The checkpoints that the repository's commits remember. A fork also holds its origin's: those are not its own. */
  async witnesses(project: string): Promise<readonly Witness[]> {
    const folder = join(this.root, project);
    if (!(await exists(join(folder, '.git')))) return [];
    const format = `--format=%(trailers:key=${CHECKPOINT_TRAILER},valueonly)`;
    const log = await this.git(['-C', folder, 'log', '--all', '--reflog', format]);
    return log
      .split('\n')
      .map((line) => line.trim().split(' '))
      .filter(([owner, seq, checksum]) => owner === project && seq !== undefined && checksum !== undefined)
      .map(([, seq, checksum]) => ({ seq: Number(seq), checksum: checksum ?? '' }));
  }

  /**
   * A copy of another project's repository, its branch at the given commit. It appears whole or not at all, and one
   * that is there already is left alone: somebody may work in it.
   */
  async fork(from: string, to: string, commit: string): Promise<void> {
    const source = join(this.root, from);
    if (!(await exists(join(source, '.git')))) return;
    const target = join(this.root, to);
    if (await exists(target)) return;
    const made = await mkdtemp(`${target}.`);
    try {
      await this.git(['clone', '-q', '--no-hardlinks', source, made]);
      await this.git(['-C', made, 'reset', '-q', '--hard', commit]);
      await rename(made, target);
    } catch (error) {
      await removeTree(made);
      if (!isTaken(error)) throw error;
    }
  }

  /** The same undone, of a project that will never be; also where it was cut off. */
  async unfork(project: string): Promise<void> {
    const names = await readdir(this.root).catch(() => []);
    const left = names.filter((name) => name === project || name.startsWith(`${project}.`));
    for (const name of left) await removeTree(join(this.root, name));
  }

  private async git(args: readonly string[]): Promise<string> {
    const env = { PATH: this.path, HOME: this.root, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    try {
      const { stdout } = await run('git', ['-c', 'core.hooksPath=/dev/null', ...args], { env, timeout: TIMEOUT_MS });
      return stdout;
    } catch (error) {
      throw new WorldError('GIT_FAILED', `git ${args.join(' ')}: ${errorMessage(error)}`, {}, { cause: error });
    }
  }
}

/** Another copy came first. */
const isTaken = (error: unknown): boolean => ['ENOTEMPTY', 'EEXIST'].includes(errorCode(error));

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
