import type { Checkout } from './checkout.js';
import { mustBeCommitId } from './resolve-ref.js';
import type { Made } from './worktree.port.js';

/** Begins what names a commit: no path in a repository begins so. */
const COMMIT = '/';
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--no-show-signature'];

/** One look at git says both. */
export async function madeBetween(checkout: Checkout, from: string, to: string): Promise<Made> {
  for (const id of [from, to]) mustBeCommitId(id);
  if (from === to) return { commits: [], files: [] };
  const range = ['--reverse', '--topo-order', `${from}..${to}`, '--'];
  const { stdout } = await checkout.inRepo(['log', '-z', `--format=${COMMIT}%H`, '--name-only', ...PLAIN, ...range]);
  const commits: string[] = [];
  const files = new Set<string>();
  let isFirst = false;
  for (const part of stdout.toString('utf8').split('\0')) {
    // A line break stands between a commit and its first file.
    const word: string = isFirst && part.startsWith('\n') ? part.slice(1) : part;
    isFirst = word.startsWith(COMMIT);
    if (isFirst) commits.push(word.slice(COMMIT.length));
    else if (word !== '') files.add(word);
  }
  return { commits, files: [...files].sort() };
}
