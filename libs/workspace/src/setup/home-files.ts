import { lstat, readdir } from 'node:fs/promises';
import { errorCode } from '#kernel';
import { type LooseFiles, looseFiles } from './loose-files.js';

/** Caches by whose content no test can tell whether they are there: what is in them was fetched or made by a tool. */
export const HOME_CACHES: readonly string[] = [
  '.npm/_cacache/', '.npm/_logs/', '.npm/_npx/', '.cache/pip/', '.cache/uv/', '.cache/yarn/', '.cache/pnpm/', '.cache/node/',
  '.cache/go-build/', '.cache/pypoetry/', '.local/share/pnpm/store/', '.yarn/berry/cache/', '.bun/install/cache/', 'go/pkg/',
  '.cargo/registry/', '.cargo/git/', '.m2/repository/', '.gradle/caches/', '.gradle/wrapper/', '.gradle/daemon/',
  '.gradle/native/', '.composer/cache/',
]; // prettier-ignore

/** Stands for HOME before a path in it. */
const HOME = '~/';

/**
 * What lies in the HOME of a worktree's commands, caches aside: settings that change what a command does, and files that
 * nobody has who has only the branch. Other files than the known ones are taken away; from a look that knew nothing of
 * HOME nothing is, and nothing is told.
 */
export async function homeFiles(home: string, known?: LooseFiles): Promise<LooseFiles> {
  if (known && !(HOME in known)) return {};
  const inHome = known && Object.entries(known).filter(([path]) => path.startsWith(HOME) && path !== HOME);
  const plain = inHome?.map(([path, print]): [string, string] => [path.slice(HOME.length), print]);
  const found = await looseFiles(home, await namesIn(home), plain && Object.fromEntries(plain), HOME_CACHES);
  const files = Object.entries(found).filter(([path]) => !path.endsWith('/'));
  return { [HOME]: 'there', ...Object.fromEntries(files.map(([path, print]) => [`${HOME}${path}`, print])) };
}

/** Without anything but caches. */
export const clearHome = async (home: string): Promise<void> =>
  void (await looseFiles(home, await namesIn(home), {}, HOME_CACHES));

/** A link in its place leads to files of somebody else. */
async function namesIn(home: string): Promise<readonly string[]> {
  try {
    return (await lstat(home)).isDirectory() ? await readdir(home) : [];
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
