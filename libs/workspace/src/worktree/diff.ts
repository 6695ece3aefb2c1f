import type { Redactor } from '#kernel';
import type { Checkout } from './checkout.js';
import { parseNumbers } from './parse-diff.js';
import { mustBeCommitId } from './resolve-ref.js';
import { bearsOnTests } from './tampering/dialects.js';
import type { DiffFile, WorktreeDiff } from './worktree.port.js';

const PATCH_LIMIT = 2 * 1_024 * 1_024;

/** Between two commits only: no file of the worktree is read, and no driver of the repository's is asked. */
const PLAIN = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '-M', '--ignore-submodules=none'];

/** So many bytes of names go onto one command line. */
const NAMES_LIMIT = 64 * 1_024;
/** Stands in a name for bytes that are no text: git would not find the file by it. */
const NO_TEXT = '\uFFFD';

/** Between two commits. */
interface Range {
  readonly from: string;
  readonly to: string;
  /** All that differ. */
  readonly files: readonly DiffFile[];
}

/**
 * The diff of those files alone that bear on tests, so that no other file takes their room; as text whatever is in
 * them: one byte that is none would hide a whole file.
 */
export async function diffOfTests(
  checkout: Checkout,
  { from, to, files: all }: Range,
  redactor: Redactor,
  also: ReadonlySet<string> = new Set(),
): Promise<WorktreeDiff> {
  const files = all.filter((file) => namesOf(file).some((name) => bearsOnTests(name) || also.has(name)));
  const isCut = files.some((file) => namesOf(file).some((name) => name.includes(NO_TEXT)));
  let patch = '';
  for (const names of batchesOf(files)) {
    const part = await patchBetween(checkout, from, to, ['--text'], names, PATCH_LIMIT - Buffer.byteLength(patch));
    patch += part.text;
    if (part.isCut) return { files, patch: redactor.redact(patch), isCut: true };
  }
  return { files, patch: redactor.redact(patch), isCut };
}

const namesOf = ({ path, from }: DiffFile): readonly string[] => (from === null ? [path] : [from, path]);

/** Both names of a file that was renamed stand together: only so git sees that it was. */
function batchesOf(files: readonly DiffFile[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let room = 0;
  for (const names of files.map(namesOf)) {
    const bytes = Buffer.byteLength(names.join('\0'));
    if (batches.length === 0 || bytes > room) {
      batches.push([]);
      room = NAMES_LIMIT;
    }
    batches.at(-1)?.push(...names);
    room -= bytes;
  }
  return batches;
}

export async function filesBetween(checkout: Checkout, from: string, to: string): Promise<readonly DiffFile[]> {
  for (const id of [from, to]) mustBeCommitId(id);
  const { stdout } = await checkout.inRepo([...PLAIN, '--raw', '--numstat', '-z', from, to]);
  return parseNumbers(stdout.toString('utf8'));
}

export interface Patch {
  readonly text: string;
  readonly isCut: boolean;
}

export async function patchBetween(
  checkout: Checkout,
  from: string,
  to: string,
  options: readonly string[] = [],
  names: readonly string[] = [],
  cutAtBytes = PATCH_LIMIT,
): Promise<Patch> {
  for (const id of [from, to]) mustBeCommitId(id);
  const { stdout, isCut } = await checkout.inRepo([...PLAIN, ...options, '-p', from, to, '--', ...names], {
    cutAtBytes,
  });
  const text = stdout.toString('utf8');
  // A secret may have been cut in two, and half of one is not recognised.
  return { text: isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text, isCut };
}
