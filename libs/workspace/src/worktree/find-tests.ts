import type { Checkout } from './checkout.js';
import { isNamedAfter, moduleName } from './named-tests.js';
import { mustBeCommitId } from './resolve-ref.js';
import { isTestFile } from './tampering/dialects.js';

/** A longer list of patterns makes the search slow, and would find most tests anyway. */
const MOST_NAMES = 50;

/** Test files of a commit that have the name of one of these files, or whose text names one as a whole word. */
export async function findTests(
  checkout: Checkout,
  commit: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  mustBeCommitId(commit);
  const names = [...new Set(paths.flatMap((path) => moduleName(path) ?? []))].slice(0, MOST_NAMES);
  if (names.length === 0) return [];
  const list = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit];
  const all = linesOf((await checkout.inRepo(list)).stdout).filter(isTestFile);
  const patterns = names.flatMap((name) => ['-e', name]);
  const search = ['grep', '-l', '-z', '-I', '-F', '-w', '--no-color', '--full-name', ...patterns, commit];
  // It answers with 1 if it finds nothing.
  const { stdout } = await checkout.inRepo(search, { answers: [1] });
  const naming = new Set(linesOf(stdout).map((line) => line.slice(commit.length + 1)));
  return all.filter((path) => naming.has(path) || names.some((name) => isNamedAfter(path, name)));
}

const linesOf = (output: Buffer): readonly string[] => output.toString('utf8').split('\0').filter(Boolean);
