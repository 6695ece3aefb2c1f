import type { Checkout } from './checkout.js';
import { keptFilesIn } from './kept-files.js';

/** What no commit holds and no reset takes away, what was only brought along among it. */
export async function ignoredIn(checkout: Checkout): Promise<readonly string[]> {
  const list = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const [{ stdout }, kept] = await Promise.all([checkout.git(list), keptFilesIn(checkout)]);
  return [...new Set([...stdout.toString('utf8').split('\0').filter(Boolean), ...kept])];
}

/** Folders in which git sees nothing but what is in no commit yet. */
export async function foldersOutside(checkout: Checkout): Promise<readonly string[]> {
  const { stdout } = await checkout.git(['ls-files', '--others', '--exclude-standard', '--directory', '-z']);
  return stdout.toString('utf8').split('\0').filter((path) => path.endsWith('/')); // prettier-ignore
}
