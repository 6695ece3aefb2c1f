import type { Checkout } from './checkout.js';
import { mustBeCommitId } from './resolve-ref.js';
import type { FileAt } from './worktree.port.js';

/** Of a longer file the rest is left out. */
const LONGEST_FILE = 2 * 1_024 * 1_024;

/** `100644 blob <id> <bytes>\t<path>`; links and submodules are no files that anybody reads. */
const PLAIN_FILE = /^100(?:644|755) blob ([0-9a-f]{40,64}) +(\d+)\t/;

/** Git would refuse such a path as a mistake of the caller's, and not say that there is no such file. */
const leadsOut = (path: string): boolean => path.startsWith('/') || path.split('/').includes('..');

const isPath = (path: string): boolean => path !== '' && !path.includes('\0') && !leadsOut(path);

/** A plain file as a commit has it; null where there is none. Also while there is no worktree. */
export async function fileAt(checkout: Checkout, commit: string, path: string): Promise<FileAt | null> {
  const found = (await plainFiles(checkout, commit, [path])).get(path);
  if (!found) return null;
  const { stdout, isCut } = await checkout.inRepo(['cat-file', 'blob', found.id], { cutAtBytes: LONGEST_FILE });
  return { bytes: found.bytes, content: stdout, isCut };
}

/** How long each of these files is that a commit has as plain files; none of them is read. */
export async function sizesAt(
  checkout: Checkout,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await plainFiles(checkout, commit, paths);
  return new Map([...found].map(([path, { bytes }]) => [path, bytes]));
}

async function plainFiles(
  checkout: Checkout,
  commit: string,
  asked: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly bytes: number }>> {
  mustBeCommitId(commit);
  const paths = asked.filter(isPath);
  if (paths.length === 0) return new Map();
  const look = ['--literal-pathspecs', 'ls-tree', '-z', '-l', '--full-tree', commit, '--', ...paths];
  const { stdout } = await checkout.inRepo(look);
  const entries = stdout.toString('utf8').split('\0');
  return new Map(
    entries.flatMap((entry) => {
      const [, id, bytes] = PLAIN_FILE.exec(entry) ?? [];
      const path = entry.slice(entry.indexOf('\t') + 1);
      // A path with a slash at its end would list what is in the folder.
      return id !== undefined && paths.includes(path) ? [[path, { id, bytes: Number(bytes) }] as const] : [];
    }),
  );
}
