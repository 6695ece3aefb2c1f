import type { Checkout } from './checkout.js';
import { mustBeCommitId } from './resolve-ref.js';
import type { FileAt } from './worktree.port.js';

/** Of a longer file the rest is left out. */
const LONGEST_TEXT = 2 * 1_024 * 1_024;

/** `100644 blob <id> <bytes>\t<path>`; links and submodules are no files that anybody reads. */
const PLAIN_FILE = /^100(?:644|755) blob ([0-9a-f]{40,64}) +(\d+)\t/;

/** Git would refuse such a path as a mistake of the caller's, and not say that there is no such file. */
const leadsOut = (path: string): boolean => path.startsWith('/') || path.split('/').includes('..');

/** A plain file as a commit has it; null where there is none. Also while there is no worktree. */
export async function fileAt(checkout: Checkout, commit: string, path: string): Promise<FileAt | null> {
  mustBeCommitId(commit);
  if (path === '' || path.includes('\0') || leadsOut(path)) return null;
  const look = ['--literal-pathspecs', 'ls-tree', '-z', '-l', '--full-tree', commit, '--', path];
  const { stdout } = await checkout.inRepo(look);
  // A path with a slash at its end would list what is in the folder.
  const entry = stdout.toString('utf8').split('\0')[0] ?? '';
  const [, id, bytes] = PLAIN_FILE.exec(entry) ?? [];
  if (id === undefined || entry.slice(entry.indexOf('\t') + 1) !== path) return null;
  const { stdout: content, isCut } = await checkout.inRepo(['cat-file', 'blob', id], { cutAtBytes: LONGEST_TEXT });
  return { bytes: Number(bytes), text: content.toString('utf8'), isCut };
}
