import { type Dialect, dialectOf } from './dialects.js';
import { countOf, taken } from './counting.js';
import { patchedPath, type PatchFile, type PatchLine } from '#kernel';
import { silencedIn } from './silenced-tests.js';
import { withoutSwallowed } from './spans.js';

export interface SkippedTest {
  readonly file: string;
  readonly line: string;
}

const LONGEST_LINE = 200;
/** So many attributes and comments may stand between a condition and its test. */
const CONDITION_REACH = 12;
const ATTRIBUTE = /^\s*(?:#!?\[|\/\/|$)/;
const TEST_MODULE = /^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w*test/;
const MODULE = /^\s*(?:pub(?:\([^)]*\))?\s+)?mod\b/;

/** Lines that were added and switch tests off, but those that did so elsewhere before. */
export function skippedTests(files: readonly PatchFile[]): readonly SkippedTest[] {
  const before = countOf(files.flatMap((file) => skipsIn(file, '-')));
  return files.flatMap((file) =>
    [...skipsIn(file, '+').filter((line) => !taken(before, line)), ...openIn(file), ...silencedIn(file)].map(
      (line) => ({
        file: patchedPath(file),
        line: line.slice(0, LONGEST_LINE),
      }),
    ),
  );
}

function skipsIn(file: PatchFile, side: '-' | '+'): readonly string[] {
  const path = side === '-' ? file.from : file.to;
  const dialect = path === null ? null : dialectOf(path);
  if (path === null || dialect === null) return [];
  return file.hunks.flatMap((hunk) => {
    const lines = hunk.filter(({ kind }) => kind === side || kind === ' ');
    return lines.flatMap(({ kind, text }, at) => {
      if (kind !== side || dialect.comment.test(text)) return [];
      const isSkip =
        dialect.skip.test(text) ||
        (dialect.condition.test(text) && (dialect.testFiles.test(path) || standsByTest(lines, at, dialect)));
      return isSkip ? [text.trim()] : [];
    });
  });
}

/** Where what a condition speaks of is a test or a module of tests. */
function standsByTest(lines: readonly PatchLine[], at: number, { mark }: Dialect): boolean {
  const above = lines.slice(Math.max(0, at - CONDITION_REACH), at).toReversed();
  const below = lines.slice(at + 1, at + CONDITION_REACH);
  const item = below.find(({ text }) => !ATTRIBUTE.test(text));
  const around = [above, below].flatMap((side) => {
    const end = side.findIndex(({ text }) => !ATTRIBUTE.test(text));
    return end < 0 ? side : side.slice(0, end);
  });
  if (around.some(({ text }) => mark.test(text))) return true;
  const condition = lines[at]?.text ?? '';
  return item !== undefined && (TEST_MODULE.test(item.text) || (MODULE.test(item.text) && /\btest\b/.test(condition)));
}

/** Comments that take in what follows, as far as no diff shows. */
function openIn(file: PatchFile): readonly string[] {
  const dialect = file.to === null ? null : dialectOf(file.to);
  return dialect === null ? [] : file.hunks.flatMap((hunk) => withoutSwallowed(hunk, dialect.spans).open ?? []);
}
