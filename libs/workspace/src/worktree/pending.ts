import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkout } from './checkout.js';
import { isKept, keptFiles } from './kept-files.js';
import { mustBeCommitId } from './resolve-ref.js';
import type { Pending, PendingFile } from './worktree.port.js';

const STATUS = ['status', '--porcelain', '-z', '-uall', '--no-renames', '--ignore-submodules=all'];
/** Whoever looks takes no lock that somebody who works there may want. */
const LOOK = { GIT_OPTIONAL_LOCKS: '0' };
const LONGEST_STATUS = 1_024 * 1_024;
/** Of so many files the contents are compared; of a tree with more changes only the names are told. */
const MOST_COMPARED = 500;
const TIMEOUT_MS = 5_000;

type Bytes = string;

/**
 * What differs in the worktree from its last commit, as git sees it now; null where there is no worktree on this
 * machine. With a commit, of each file whether it is as that one has it; and a file that only differs from that one is
 * listed too. Nothing is changed, and nobody who works there is held up.
 */
export async function pendingIn(checkout: Checkout, commit: string | null): Promise<Pending | null> {
  if (commit !== null) mustBeCommitId(commit);
  const there = await Promise.all([checkout.folder, checkout.entry, checkout.readyMark].map(kindOf));
  if (there.includes(null)) return null;
  const options = { env: LOOK, signal: AbortSignal.timeout(TIMEOUT_MS), cutAtBytes: LONGEST_STATUS };
  const keeps = isKept(await keptFiles(checkout));
  const { stdout, isCut } = await checkout.git(STATUS, options);
  const found = readStatus(stdout.toString('latin1')).filter(({ path }) => !keeps(path));
  if (commit === null || isCut || found.length > MOST_COMPARED) {
    return { files: found.map((file) => shown(file, null)), isCut };
  }
  const beside = await checkout.git(['diff', '--name-only', '-z', '--no-renames', 'HEAD', commit], options);
  const names = new Set(found.map(({ path }) => path));
  const more = partsOf(beside.stdout).filter((path) => !names.has(path) && !keeps(path)).slice(0, MOST_COMPARED); // prettier-ignore
  const all = [...found, ...more.map((path) => ({ path, status: 'changed' as const }))];
  const asThere = await comparedWith(checkout, commit, all.map(({ path }) => path), options); // prettier-ignore
  const files = all.map((file) => shown(file, asThere(file.path)));
  // One that has nothing uncommitted and is as the commit has it is no news.
  return { files: files.filter((file, nth) => nth < found.length || file.isAsInCommit !== true), isCut };
}

interface Found {
  /** Bytes: a path may be no text at all. */
  readonly path: Bytes;
  readonly status: PendingFile['status'];
}

function readStatus(said: string): Found[] {
  return said.split('\0').flatMap((entry): Found[] => {
    const [mark, path] = [entry.slice(0, 2), entry.slice(3)];
    if (path === '') return [];
    if (mark === '??' || mark.startsWith('A')) return [{ path, status: 'added' }];
    return [{ path, status: mark.includes('D') ? 'deleted' : 'changed' }];
  });
}

/** By path: whether the file is as the commit has it; null where that was not looked at. */
async function comparedWith(
  checkout: Checkout,
  commit: string,
  paths: readonly Bytes[],
  options: { readonly env: typeof LOOK; readonly signal: AbortSignal },
): Promise<(path: Bytes) => boolean | null> {
  if (paths.length === 0) return () => null;
  const { stdout } = await checkout.git(['ls-tree', '-r', '-z', commit, '--', ...paths.map(textOf)], options);
  const wanted = new Map(partsOf(stdout).map((line) => [line.slice(line.indexOf('\t') + 1), line.split(' ')[2]?.split('\t')[0]])); // prettier-ignore
  const kinds = new Map<Bytes, string | null>();
  for (const path of paths) kinds.set(path, await kindOf(join(checkout.folder, textOf(path))));
  // Paths are told to git line by line.
  const plain = paths.filter((path) => kinds.get(path) === 'file' && !path.includes('\n'));
  const input = Buffer.from(plain.map((path) => `${path}\n`).join(''), 'latin1');
  const hashes = plain.length === 0 ? '' : await checkout.text(['hash-object', '--stdin-paths'], { ...options, input });
  const found = new Map(hashes.split('\n').map((hash, nth) => [plain[nth], hash]));
  return (path) => {
    const want = wanted.get(path);
    if (kinds.get(path) === null) return want === undefined;
    return found.has(path) ? found.get(path) === want : null;
  };
}

const shown = ({ path, status }: Found, isAsInCommit: boolean | null): PendingFile => ({
  path: textOf(path),
  status,
  isAsInCommit,
});

const partsOf = (output: Buffer): Bytes[] => output.toString('latin1').split('\0').filter(Boolean);
const textOf = (path: Bytes): string => Buffer.from(path, 'latin1').toString('utf8');

const kindOf = (path: string): Promise<'file' | 'other' | null> =>
  lstat(path).then(
    (found) => (found.isFile() ? 'file' : 'other'),
    () => null,
  );
