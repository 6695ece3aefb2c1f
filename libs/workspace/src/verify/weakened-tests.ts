import type { WorktreeDiff } from '../worktree/worktree.port.js';

/** What a diff does to the tests of a repository that makes them prove less; empty where it does nothing of the kind. */
export interface WeakenedTests {
  /** Test files that are gone. */
  readonly deletedFiles: readonly string[];
  /** Test files that hold fewer tests than before, and by how many. */
  readonly removed: readonly { readonly path: string; readonly tests: number }[];
  /** Test files in which more tests are skipped, or told to fail, than before. */
  readonly skipped: readonly { readonly path: string; readonly tests: number }[];
  /** Test files in which a mark now keeps all other tests from running. */
  readonly focused: readonly string[];
  /** The diff was cut: what is beyond the cut was not looked at. */
  readonly isCut: boolean;
}

const TEST_FILE =
  /(?:^|\/)(?:tests?|specs?|__tests__)\/|[._-](?:test|spec|tests)\.[a-z]{1,4}$|(?:^|\/)test_[^/]*\.py$|(?:^|\/)conftest\.py$|_test\.(?:go|py|rb|exs)$|Tests?\.(?:java|kt|cs|php|scala)$/i;

/** Where a test begins, in the languages whose runners are known. */
const TEST_BEGINS =
  /^\s*(?:(?:it|test|specify)(?:\.[a-z]+)*(?:\(|`)|(?:async )?def test_|func (?:Test|Fuzz|Benchmark)[A-Z_]|#\[(?:[a-z_]+::)?test|@(?:Test|ParameterizedTest|RepeatedTest)\b)/;
const SKIP =
  /\b(?:it|test|describe|context|suite|specify)\.(?:skip|todo|fixme|fails|failing)\b|\bx(?:it|test|describe)\(|\b(?:skip|todo): *(?:true|['"`])|\bt\.(?:Skip|Skipf|SkipNow)\(|@(?:Disabled|Ignore)\b|#\[ignore|pytest\.mark\.(?:skip|skipif|xfail)|pytest\.skip\(|unittest\.skip|\bthis\.skip\(/;
const FOCUS = /\b(?:it|test|describe|context|suite)\.only\b|\bf(?:it|describe)\(/;

/**
 * Reads a diff as text, by the marks of the known runners. It finds what was done openly; an assertion that was made
 * empty is not found by it, and a test that was moved to another file is reported with both files.
 */
export function weakenedTests({ files, patch, isCut }: WorktreeDiff): WeakenedTests {
  const parts = partsOf(patch);
  const changed = files.filter(({ path }) => TEST_FILE.test(path) || hasTests(parts.get(path)));
  const counted = changed.map(({ path, status }) => ({ path, status, ...changesOf(parts.get(path) ?? []) }));
  const kept = counted.filter(({ status }) => status !== 'deleted');
  return {
    deletedFiles: counted.filter(({ status }) => status === 'deleted').map(({ path }) => path),
    removed: kept.filter(({ tests }) => tests < 0).map(({ path, tests }) => ({ path, tests: -tests })),
    skipped: kept.filter(({ skips }) => skips > 0).map(({ path, skips }) => ({ path, tests: skips })),
    focused: kept.filter(({ focuses }) => focuses > 0).map(({ path }) => path),
    isCut,
  };
}

export const isWeakened = ({ deletedFiles, removed, skipped, focused }: WeakenedTests): boolean =>
  deletedFiles.length + removed.length + skipped.length + focused.length > 0;

/** The changed lines of each file, by its path after the change, or before it where it is gone. */
function partsOf(patch: string): ReadonlyMap<string, readonly string[]> {
  const parts = new Map<string, string[]>();
  let lines: string[] = [];
  let before = '';
  let isHeader = true;
  for (const line of patch.split('\n')) {
    if (line.startsWith('diff --git ')) {
      isHeader = true;
      lines = [];
    } else if (line.startsWith('@@ ')) isHeader = false;
    else if (isHeader && line.startsWith('--- ')) before = nameIn(line);
    else if (isHeader && line.startsWith('+++ ')) {
      const after = nameIn(line);
      parts.set(after === '/dev/null' ? before : after, lines);
    } else if (!isHeader && (line.startsWith('+') || line.startsWith('-'))) lines.push(line);
  }
  return parts;
}

/** `--- a/path` and `+++ b/path`, with quotes where the path has unusual characters. */
const nameIn = (line: string): string =>
  line
    .slice(4)
    .replace(/\t$/, '')
    .replace(/^"(.*)"$/, '$1')
    .replace(/^[ab]\//, '');

/** Some languages keep tests beside the code. */
const hasTests = (lines: readonly string[] | undefined): boolean =>
  lines?.some((line) => TEST_BEGINS.test(line.slice(1))) ?? false;

function changesOf(lines: readonly string[]): { tests: number; skips: number; focuses: number } {
  const balance = (sign: RegExp): number =>
    lines.reduce((sum, line) => sum + (sign.test(line.slice(1, 1_000)) ? (line.startsWith('+') ? 1 : -1) : 0), 0);
  return { tests: balance(TEST_BEGINS), skips: balance(SKIP), focuses: balance(FOCUS) };
}
