import { plainLines } from '#kernel';
import { type Family, familyOf, type PrintedTests, readPrintedTests } from './printed-tests.js';

export interface NewTestFile {
  readonly path: string;
  /** Names of the tests in it, as its source spells them. */
  readonly titles: readonly string[];
}

export interface UnrunFacts {
  readonly files: readonly NewTestFile[];
  /** The whole output of each verify command on the result. */
  readonly outputs: readonly string[];
  /** Tests that ran on the result minus tests that ran before; null if the runners do not count. */
  readonly gained: number | null;
}

const MOST_READ = 8 * 1024 * 1024;
/** Files in test folders may be helpers; these names are of tests. */
const TEST_NAME = /(?:^|[._-])(?:tests?|specs?)[._-]|(?:Tests?|Spec|IT)\.\w+$|(?:^|\/)test_[^/]*$/;
/** The source of a title that is only complete at run time. */
const BUILT_TITLE = /\$\{|%[sdifjop#$]|\$\w/;

/**
 * The new test files that leave no sign in any output. If a runner prints files or titles, a missing one counts. If it
 * prints neither, the number of tests must have grown by at least one for each file.
 */
export function findUnrunTestFiles({ files, outputs, gained }: UnrunFacts): readonly string[] {
  const printed = outputs.map((output) => readPrintedTests(plainLines(output, MOST_READ)));
  const tests = files.filter(({ path, titles }) => titles.length > 0 || TEST_NAME.test(path.split('/').at(-1) ?? ''));
  const unseen = tests.filter((file) => !printed.some((one) => hasSign(one, file)));
  const undecided = unseen.filter((file) => !isRuledOut(printed, file));
  const isCounted = gained !== null && undecided.length > 0 && gained >= undecided.length;
  return unseen.filter((file) => !(isCounted && undecided.includes(file))).map(({ path }) => path);
}

/**
 * Titles of tests that were printed before and no longer are. Null if a runner names only some of its tests, so that
 * fewer than `atLeast` are found.
 */
export function findMissingTitles(
  { before, now }: { readonly before: readonly string[]; readonly now: readonly string[] },
  atLeast: number,
): readonly string[] | null {
  const titlesOf = (outputs: readonly string[]): readonly string[] =>
    outputs.flatMap((output) => readPrintedTests(plainLines(output, MOST_READ)).titles);
  const left = new Set(titlesOf(now));
  const missing = [...new Set(titlesOf(before))].filter((title) => !left.has(title));
  return missing.length >= atLeast ? missing : null;
}

/** Whether no runner says which tests ran: it neither counts them nor prints any sign that is known. */
export const isSilentRunner = ({ outputs, gained }: Pick<UnrunFacts, 'outputs' | 'gained'>): boolean =>
  gained === null && outputs.every((output) => readPrintedTests(plainLines(output, MOST_READ)).families.size === 0);

/** A test that fails as soon as it is loaded, in the language of a file; null if no such text is known. */
export function failingTestFor(path: string): string | null {
  if (/\.[cm]?[jt]sx?$/.test(path)) return "throw new Error('This test always fails.');\n";
  if (path.endsWith('.py')) return "raise AssertionError('This test always fails.')\n";
  if (path.endsWith('.rb')) return "raise 'This test always fails.'\n";
  if (path.endsWith('.php')) return "<?php\nthrow new Exception('This test always fails.');\n";
  if (/\.(?:java|kts?|scala|groovy|go|rs|cs|swift|c|cc|cpp)$/.test(path))
    return 'This test always fails: no compiler accepts it.\n';
  return path.endsWith('.sh') ? "echo 'This test always fails.' >&2\nexit 1\n" : null;
}

const usableTitles = ({ titles }: NewTestFile): readonly string[] =>
  titles.filter((title) => title.trim() !== '' && !BUILT_TITLE.test(title));

function hasSign(printed: PrintedTests, file: NewTestFile): boolean {
  if (printed.files.some((listed) => isSameFile(listed, file.path))) return true;
  if (printed.packages.some((name) => isPackageOf(name, file.path))) return true;
  return usableTitles(file).some((title) => printed.titles.some((name) => isSameTitle(name, title)));
}

/** Whether each output that could speak of this file lists what it ran, and does not list it. */
function isRuledOut(printed: readonly PrintedTests[], file: NewTestFile): boolean {
  const family = familyOf(file.path);
  const relevant = printed.filter(({ families }) => families.size === 0 || (family !== null && families.has(family)));
  return relevant.length === 0 || relevant.every((one) => listsAll(one, family, usableTitles(file).length > 0));
}

const listsAll = (printed: PrintedTests, family: Family | null, hasTitles: boolean): boolean =>
  family !== null && (printed.listsFiles.has(family) || (hasTitles && printed.listsTitles.has(family)));

function isSameFile(listed: string, path: string): boolean {
  const plain = listed.replace(/^(?:\.\/)+/, '');
  return plain === path || path.endsWith(`/${plain}`) || plain.endsWith(`/${path}`);
}

/** Go runs every test file of a package; Java prints the class with its package. */
function isPackageOf(name: string, path: string): boolean {
  const folder = path.split('/').slice(0, -1).join('/');
  if (path.endsWith('.go')) return folder === '' || name === folder || name.endsWith(`/${folder}`);
  if (familyOf(path) !== 'java') return false;
  return `/${path.replace(/\.\w+$/, '')}`.endsWith(`/${name.replaceAll('.', '/')}`);
}

function isSameTitle(name: string, title: string): boolean {
  const isLong = title.trim().includes(' ');
  return (
    name === title ||
    name.endsWith(`> ${title}`) ||
    name.endsWith(`::${title}`) ||
    (isLong && name.endsWith(` ${title}`))
  );
}
