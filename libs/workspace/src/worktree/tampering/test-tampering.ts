import type { WorktreeDiff } from '../worktree.port.js';
import { countOf, taken } from './counting.js';
import { bearsOnTests, type Dialect, dialectOf, isTestFile } from './dialects.js';
import { patchedPath, type PatchFile, type PatchLine, readPatch } from '#kernel';
import { speaksOfRun } from './runner-files.js';
import { type SkippedTest, skippedTests } from './skipped-tests.js';
import { withoutSwallowed } from './spans.js';
import { renamedIn, testsIn } from './tests-in-hunk.js';
import { changedVerification, type VerifiedBy } from './verified-by.js';

export interface TestTampering {
  /** Test files that are gone, or have a name now by which no runner finds them. */
  readonly removedFiles: readonly string[];
  readonly removedTests: readonly { readonly file: string; readonly name: string }[];
  /** Lines that were added and switch tests off, or all others but one. */
  readonly skippedTests: readonly SkippedTest[];
  /** Test files that assert less than before; an assertion that was only moved is in none of the numbers. */
  readonly weakened: readonly { readonly file: string; readonly removed: number; readonly added: number }[];
  /** Files that say which tests are run, where that was changed. */
  readonly runnerFiles: readonly string[];
  /** New ones: where there were tests before, others may be run now. Absent in what an older release has journalled. */
  readonly newRunnerFiles?: readonly string[];
  /** Lines that were added to tests and assert something. Absent in what an older release has journalled. */
  readonly assertions?: number;
  /** Test files that were not there before. Absent in what an older release has journalled. */
  readonly newFiles?: readonly string[];
  /** Files and scripts that verify commands call by their names. Absent in what an older release has journalled. */
  readonly verification?: readonly string[];
  /** Files with lines too long to be looked at whole. */
  readonly unread: readonly string[];
  /** False where the diff was cut: then there may be more. */
  readonly isComplete: boolean;
}

const MOST_NEW = 1_000;

/** True where tests were removed or switched off; whatever else is reported may have been right. */
export const hasTampered = (found: TestTampering): boolean =>
  found.removedFiles.length + found.removedTests.length + found.skippedTests.length > 0;

/** What a diff of all that bears on tests takes from them. A test that was moved or renamed is still there, and is not reported. */
export function testTampering(diff: WorktreeDiff, by?: VerifiedBy): TestTampering {
  const written = readPatch(diff.patch);
  const files = written.map(asRun);
  const added = countOf(files.filter(isRun).flatMap((file) => namesIn(file, '+').map(({ name }) => name)));
  const removedTests = files.flatMap((file) => {
    const renamed = countOf(file.hunks.flatMap((hunk) => dialectIn(file, '-', (one) => renamedIn(hunk, one))));
    return namesIn(file, '-').filter(({ name }) => !taken(renamed, name) && !taken(added, name));
  });
  return {
    removedFiles: removedFiles(diff, files, removedTests),
    removedTests,
    skippedTests: skippedTests(written),
    weakened: weakened(files),
    assertions: newAssertions(files),
    runnerFiles: written.filter((file) => file.from !== null && speaksOfRun(file)).map(patchedPath),
    newRunnerFiles: written.filter((file) => file.from === null && speaksOfRun(file)).map(patchedPath),
    newFiles: diff.files.flatMap(({ path, status }) => (status === 'added' && isTestFile(path) ? [path] : [])).slice(0, MOST_NEW), // prettier-ignore
    verification: by ? changedVerification(written, by) : [],
    unread: files.filter((file) => file.hasLongLine && bearsOnTests(patchedPath(file))).map(patchedPath),
    isComplete: !diff.isCut,
  };
}

/** Without what a comment around it has taken away. */
function asRun(file: PatchFile): PatchFile {
  const dialect = file.to === null ? null : dialectOf(file.to);
  return dialect === null
    ? file
    : { ...file, hunks: file.hunks.map((hunk) => withoutSwallowed(hunk, dialect.spans).hunk) };
}

/** A test that was moved to where no runner looks is gone; Rust's are found wherever they are. */
const isRun = ({ from, to }: PatchFile): boolean =>
  to !== null && (from === to || isTestFile(to) || to.endsWith('.rs'));

function dialectIn<T>(file: PatchFile, side: '-' | '+', read: (dialect: Dialect) => readonly T[]): readonly T[] {
  const path = side === '-' ? file.from : file.to;
  const dialect = path === null ? null : dialectOf(path);
  return dialect === null ? [] : read(dialect);
}

const namesIn = (file: PatchFile, side: '-' | '+'): readonly { file: string; name: string }[] =>
  file.hunks.flatMap((hunk) =>
    dialectIn(file, side, (dialect) => testsIn(hunk, side, dialect)).map((name) => ({
      file: (side === '-' ? file.from : file.to) ?? '',
      name,
    })),
  );

/** A deleted file all of whose tests are elsewhere now was only moved. */
function removedFiles(
  { files }: WorktreeDiff,
  patch: readonly PatchFile[],
  removedTests: TestTampering['removedTests'],
): readonly string[] {
  const sections = new Map(patch.map((file) => [file.from, file]));
  const reduced = new Set(removedTests.map(({ file }) => file));
  return files.flatMap(({ path, from, status }) => {
    if (status === 'renamed') return from !== null && isTestFile(from) && !isTestFile(path) ? [from] : [];
    if (status !== 'deleted' || !isTestFile(path)) return [];
    const section = sections.get(path);
    const had = section ? namesIn(section, '-').length : 0;
    return had > 0 && !reduced.has(path) ? [] : [path];
  });
}

/** But those that hold whatever the code does. */
const assertions = (file: PatchFile, side: '-' | '+'): readonly string[] =>
  dialectIn(file, side, ({ assertion, trivial, comment }) =>
    linesOf(file, side).filter((text) => assertion.test(text) && !trivial.test(text) && !comment.test(text)),
  ).map((text) => text.trim());

const IMPORT = /^\s*(?:import|from|use)\b|^\s*(?:const|let|var)\b.{0,300}\brequire\(/;

const newAssertions = (files: readonly PatchFile[]): number =>
  files
    .filter(({ to }) => to !== null && isTestFile(to))
    .flatMap((file) => assertions(file, '+'))
    .filter((text) => !IMPORT.test(text)).length;

function weakened(files: readonly PatchFile[]): TestTampering['weakened'] {
  const all = (side: '-' | '+') => countOf(files.flatMap((file) => assertions(file, side)));
  const [gone, come] = [all('-'), all('+')];
  return files.flatMap((file) => {
    const removed = assertions(file, '-').filter((line) => !taken(come, line)).length;
    const added = assertions(file, '+').filter((line) => !taken(gone, line)).length;
    const isKept = file.to !== null && file.from !== null && isTestFile(file.to);
    return isKept && removed > added ? [{ file: patchedPath(file), removed, added }] : [];
  });
}

const linesOf = (file: PatchFile, side: PatchLine['kind']): readonly string[] =>
  file.hunks.flatMap((hunk) => hunk.flatMap(({ kind, text }) => (kind === side ? [text] : [])));
