import type { ActivityContext } from '#engine';
import { patchedPath, readPatch } from '#kernel';
import { type ChangedTest, type DoctoredLine, splitByFailure } from '#proof';
import type { TestTampering, Worktree } from '#workspace';
import { repeatable } from '../../shared/repeatable.js';
import type { CodingParts } from '../coding-context.js';
import type { Inspection } from './proof-record.js';

/** An existing test that was removed, skipped or changed, and the words under which an inspector is asked about it. */
export interface ListedTest {
  readonly words: string;
  readonly file: string;
  /** Null if the whole file is meant. */
  readonly name: string | null;
  readonly change: ChangedTest['change'];
  /** What it asserts: its removed lines, or what it printed when it failed. */
  readonly text: string;
}

/** Tests that were removed or skipped, with the lines that the patch takes away. */
export function removedTests(
  { removedFiles, removedTests: tests, skippedTests }: TestTampering,
  patch: string,
): readonly ListedTest[] {
  const lines = readRemovedLines(patch);
  const textOf = (file: string, name: string): string => {
    const names = tests.filter((one) => one.file === file).map((one) => one.name);
    return splitByFailure(lines.get(file) ?? '', names).find((one) => one.name === name)?.output ?? '';
  };
  return [
    ...removedFiles.map((file) => ({
      ...{ words: file, file, name: null, change: 'removed' as const },
      text: lines.get(file) ?? '',
    })),
    ...tests.map(({ file, name }) => ({
      ...{ words: `${file}: ${name}`, file, name, change: 'removed' as const },
      text: textOf(file, name),
    })),
    ...skippedTests.map(({ file, line }) => ({
      ...{ words: `${file}: ${line}`, file, name: null, change: 'skipped' as const },
      text: line,
    })),
  ];
}

/** By the old and the new path of each file. */
function readRemovedLines(patch: string): ReadonlyMap<string, string> {
  return new Map(
    readPatch(patch).flatMap((file) => {
      const removed = file.hunks.flat().flatMap(({ kind, text }) => (kind === '-' ? [text] : []));
      return [file.from ?? '', patchedPath(file)].map((path) => [path, removed.join('\n')] as const);
    }),
  );
}

/** The same with tests of the base that fail on the result. A test that is listed already is not listed again. */
export function withFailingTests(
  listed: readonly ListedTest[],
  failing: readonly string[],
  { output, patch }: { readonly output: string; readonly patch: string },
): readonly ListedTest[] {
  const isListed = (failure: string): boolean =>
    listed.some(({ file, name }) => (name === null ? failure.startsWith(file) : failure.endsWith(name)));
  const fresh = failing.filter((failure) => !isListed(failure));
  const failures = splitByFailure(output, fresh);
  // The change may have rewritten what the test asserts. Names of tests do not always tell in which file.
  const rewritten = [...new Set(readRemovedLines(patch).values())].join('\n');
  return [
    ...listed,
    ...failures.map(({ name: words, output: text }) => ({
      ...{ words, file: words, name: null, change: 'changed' as const },
      text: `${text}\n${rewritten}`,
    })),
  ];
}

/** Tests that no longer run, though no file of tests says why: their names may be made at run time. */
export const missingTests = (names: readonly string[]): readonly ListedTest[] =>
  [...new Set(names)].map((name) => ({ words: name, file: '', name, change: 'removed', text: '' }));

/** A line under which an inspector is asked about it. */
export const describeDoctored = ({ file, line }: Pick<DoctoredLine, 'file' | 'line'>): string => `${file}: ${line}`;

const SHORTEST = 5;

/** What the inspector quoted for a test. It may have shortened the name that it was given. */
export function quoteFor({ words }: Pick<ListedTest, 'words'>, inspection: Inspection | null): string | null {
  const answers = inspection?.tests ?? [];
  const exact = answers.find(({ test }) => test === words);
  const near = answers.filter(({ test }) => test.length >= SHORTEST && (words.includes(test) || test.includes(words)));
  return (exact ?? (near.length === 1 ? near[0] : undefined))?.quote ?? null;
}

/** What changed in tests between two commits. */
export const readPatchOfTests = (
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { from, commit }: { readonly from: string; readonly commit: string },
): Promise<string> =>
  repeatable(activity, 'patch-of-tests', async () => (await worktrees.diffOfTests(worktree, from, commit)).patch);
