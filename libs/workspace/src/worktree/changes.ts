import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, UserError } from '#kernel';
import type { Checkout } from './checkout.js';
import { isKept, keptFiles } from './kept-files.js';
import { flattenRepository, giveRightsBack } from './tame-folder.js';

/** What differs between the files and the worktree's index. */
export interface Changes {
  readonly paths: readonly string[];
  /** What git would take for a change too, and what is only brought along. */
  readonly kept: readonly string[];
  /** Neither the files nor the index differ from HEAD. */
  readonly isAsHead: boolean;
}

const LARGEST_FILE = 100 * 1_024 * 1_024;
const LARGEST_SUM = 1_024 * 1_024 * 1_024;
/** Repositories inside repositories inside …: each look finds one level. */
const DEEPEST_NEST = 50;

const STATUS = ['status', '--porcelain', '-z', '-uall', '--no-renames', '--ignore-submodules=all'];

/** Looks once at all files; repositories found among them become plain folders. */
export async function changesIn(checkout: Checkout): Promise<Changes> {
  for (let level = 0; level <= DEEPEST_NEST; level += 1) {
    const said = await statusOf(checkout);
    const { paths: all, nested } = readStatus(said);
    if (nested.length === 0) {
      const keeps = isKept(await keptFiles(checkout));
      const paths = all.filter((path) => !keeps(path));
      await refuseTooLarge(checkout, paths);
      return { paths, kept: all.filter(keeps), isAsHead: said === '' && !(await hasSubmodules(checkout)) };
    }
    for (const folder of nested) await flattenRepository(checkout, Buffer.from(folder, 'latin1').toString('utf8'));
  }
  throw new UserError('WORKTREE_TOO_NESTED', 'repositories lie within each other too deeply; remove them', {});
}

/** Their commits are no part of what git was asked for. */
const hasSubmodules = ({ folder }: Checkout): Promise<boolean> =>
  lstat(join(folder, '.gitmodules')).then(
    () => true,
    () => false,
  );

/** Git only warns of a folder that it may not enter, and goes on as if it were empty. */
async function statusOf(checkout: Checkout): Promise<string> {
  const { stdout, stderr } = await checkout.git(STATUS);
  if (!/could not open directory/.test(stderr)) return stdout.toString('latin1');
  await giveRightsBack(checkout.folder);
  return (await checkout.git(STATUS)).stdout.toString('latin1');
}

/** Paths are bytes and may be no text at all: latin1 keeps each byte. */
function readStatus(said: string): { paths: string[]; nested: string[] } {
  const [paths, nested]: [string[], string[]] = [[], []];
  for (const entry of said.split('\0')) {
    const [mark, path] = [entry.slice(0, 2), entry.slice(3)];
    if (entry === '' || mark[1] === ' ') continue;
    // With -uall only a repository is shown as a folder.
    if (path.endsWith('/')) nested.push(path);
    else paths.push(path);
  }
  return { paths, nested };
}

async function refuseTooLarge(checkout: Checkout, paths: readonly string[]): Promise<void> {
  let sum = 0;
  for (const path of paths) {
    const found = await lstat(Buffer.concat([Buffer.from(`${checkout.folder}/`), Buffer.from(path, 'latin1')])).catch(
      () => null,
    );
    const size = found?.isFile() ? found.size : 0;
    sum += size;
    if (size > LARGEST_FILE || sum > LARGEST_SUM) {
      const name = Buffer.from(path, 'latin1').toString('utf8');
      throw new UserError(
        'WORKTREE_TOO_LARGE',
        `${name} and what else has changed is too large to be kept: at most 100 MB a file and 1 GB in all. ` +
          'Delete what is not needed, or list it in .gitignore.',
        { path: name, bytes: size, sum },
      );
    }
  }
}

/** Up to here each path is named to git, which then looks at nothing else; beyond, one look at everything is faster. */
const NAMED_PATHS = 500;

/** `git add` of the paths on its input; one that lies behind a link only a look at everything gets right. */
const ADD_NAMED = 'git add -A --pathspec-from-file=- --pathspec-file-nul 2>/dev/null || git add -A\n';
const ADD_ALL = 'git add -A\n';
/** Git fails at an exclusion of what it ignores anyway; so only what it has shown is excluded. */
const ADD_ALL_BUT = 'GIT_LITERAL_PATHSPECS=0 git add -A --pathspec-from-file=- --pathspec-file-nul\n';

function howToAdd({ paths, kept }: Changes): { add: string; input?: Buffer } {
  if (paths.length === 0) return { add: '' };
  if (kept.length > 0) {
    const but = kept.map((path) => `:(top,exclude,literal)${path}`);
    return { add: ADD_ALL_BUT, input: Buffer.from([':(top)', ...but].join('\0'), 'latin1') };
  }
  if (paths.length > NAMED_PATHS) return { add: ADD_ALL };
  return { add: ADD_NAMED, input: Buffer.from(paths.join('\0'), 'latin1') };
}

/** Puts all changes into the index, then runs the lines; in one process from here, for it is done at every turn. */
export async function withChangesAdded(
  checkout: Checkout,
  changes: Changes,
  lines: string,
  args: readonly string[],
): Promise<string> {
  const { add, input } = howToAdd(changes);
  const run = async (): Promise<string> => {
    const { stdout } = await checkout.script('keep the files', add + lines, args, input && { input });
    return stdout.toString('utf8').trim();
  };
  try {
    return await run();
  } catch (error) {
    if (errorCode(error) !== 'REPO_NOT_WRITABLE') throw error;
    // Most likely a file that nobody may read; whatever else it was fails again.
    await giveRightsBack(checkout.folder);
    return run();
  }
}
