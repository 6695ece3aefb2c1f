import type { Checkout } from './checkout.js';
import { keptFilesIn } from './kept-files.js';

/** What no commit holds and no reset takes away, what was only brought along among it. */
export async function ignoredIn(checkout: Checkout): Promise<readonly string[]> {
  const list = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const [{ stdout }, kept] = await Promise.all([checkout.git(list), keptFilesIn(checkout)]);
  return [...new Set([...stdout.toString('utf8').split('\0').filter(Boolean), ...kept])];
}
