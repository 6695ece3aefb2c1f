import type { ChangedTest } from '#proof';
import type { TestTampering } from '#workspace';
import type { Inspection } from './proof-record.js';

/** An existing test that was removed, skipped or changed, and the words under which an inspector is asked about it. */
export interface ListedTest {
  readonly words: string;
  readonly file: string;
  /** Null if the whole file is meant. */
  readonly name: string | null;
  readonly change: ChangedTest['change'];
}

/** Tests that were removed or skipped. */
export const removedTests = ({
  removedFiles,
  removedTests: tests,
  skippedTests,
}: TestTampering): readonly ListedTest[] => [
  ...removedFiles.map((file) => ({ words: file, file, name: null, change: 'removed' as const })),
  ...tests.map(({ file, name }) => ({ words: `${file}: ${name}`, file, name, change: 'removed' as const })),
  ...skippedTests.map(({ file, line }) => ({
    words: `${file}: ${line}`,
    file,
    name: null,
    change: 'skipped' as const,
  })),
];

/** The same with tests of the base that fail on the result. A test that is listed already is not listed again. */
export function withFailingTests(listed: readonly ListedTest[], failing: readonly string[]): readonly ListedTest[] {
  const isListed = (failure: string): boolean =>
    listed.some(({ file, name }) => (name === null ? failure.startsWith(file) : failure.endsWith(name)));
  const fresh = failing.filter((failure) => !isListed(failure));
  return [...listed, ...fresh.map((words) => ({ words, file: words, name: null, change: 'changed' as const }))];
}

const SHORTEST = 5;

/** What the inspector quoted for a test. It may have shortened the name that it was given. */
export function quoteFor({ words }: ListedTest, inspection: Inspection | null): string | null {
  const answers = inspection?.tests ?? [];
  const exact = answers.find(({ test }) => test === words);
  const near = answers.filter(({ test }) => test.length >= SHORTEST && (words.includes(test) || test.includes(words)));
  return (exact ?? (near.length === 1 ? near[0] : undefined))?.quote ?? null;
}
