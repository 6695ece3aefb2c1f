import { lstat, readdir } from 'node:fs/promises';
import { errorCode } from '#kernel';
import { removeFiles } from './remove-files.js';

/** Caches by whose content no test can tell whether they are there: what is in them was fetched or made by a tool. */
export const HOME_CACHES: readonly string[] = [
  '.npm/_cacache/', '.npm/_logs/', '.npm/_npx/', '.cache/pip/', '.cache/uv/', '.cache/yarn/', '.cache/pnpm/', '.cache/node/',
  '.cache/go-build/', '.cache/pypoetry/', '.local/share/pnpm/store/', '.yarn/berry/cache/', '.bun/install/cache/', 'go/pkg/',
  '.cargo/registry/', '.cargo/git/', '.m2/repository/', '.gradle/caches/', '.gradle/wrapper/', '.gradle/daemon/',
  '.gradle/native/', '.composer/cache/',
]; // prettier-ignore

/** Removes all but caches. */
export const clearHome = async (home: string): Promise<void> => removeFiles(home, await namesIn(home), HOME_CACHES);

/** A link in its place leads to files of somebody else. */
async function namesIn(home: string): Promise<readonly string[]> {
  try {
    return (await lstat(home)).isDirectory() ? await readdir(home) : [];
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
