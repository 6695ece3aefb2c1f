/** What is to run: tests by the names under which they failed, and whole test files. */
export interface TestSelection {
  readonly failures: readonly string[];
  readonly files: readonly string[];
}

/** How each runner is told to run certain tests. Each function returns null if one of them cannot be selected. */
export type SelectTests = (selection: TestSelection) => readonly string[] | null;

/** Failure names have placeholders for what differs between runs, and cut absolute paths. */
const PLACEHOLDER = /<(?:n|time|hex|uuid|tmp|long)>/;
const UNUSABLE = /[\u0000-\u001f\u007f\u2028\u2029…]/;

const NODE_FILE = /^([^:]{1,300}\.[cm]?[jt]sx?)(?:: .*)?$/;
const VITEST_FILE = /^(?:\|?[\w-]{1,60}\|? )?(\S{1,300}\.[cm]?[jt]sx?) (?:> |\[ )/;
const JEST_FILE = /^(\S{1,300}\.[cm]?[jt]sx?): /;
const SCRIPT_FILE = /^[^:]{1,300}\.[cm]?[jt]sx?$/;
const GO_FILE = /^[\w./~-]{1,300}\.go$/;
const GO_NAME = /^([\w./~-]{1,300})(?:: (\p{L}[\p{L}\p{N}_]{0,200})(?:\/.*)?)?$/u;
const UNITTEST_NAME = /^(\w{1,200}) \(([\w.]{1,300})\)/;
const CARGO_NAME = /^[\w:]{1,300}$/;

export const selectNodeFiles: SelectTests = (selection) => filesIn(selection, NODE_FILE);
export const selectVitestFiles: SelectTests = (selection) => filesIn(selection, VITEST_FILE);

export const selectJestFiles: SelectTests = (selection) => {
  const files = filesIn(selection, JEST_FILE);
  return files && ['--runTestsByPath', ...files];
};

/** Mocha names no files, but its whole titles; these are the suites and the test with a space between. */
export const selectMochaTitles: SelectTests = ({ failures, files }) => {
  if (files.length > 0 || failures.some((name) => !isUsable(name))) return null;
  const titles = failures.map((name) => escapePattern(name.split(' > ').join(' ')));
  return ['--grep', `^(?:${unique(titles).join('|')})$`];
};

export const selectPytestIds: SelectTests = ({ failures, files }) => {
  const ids = [...files, ...failures].map((name) => {
    const id = PLACEHOLDER.test(name) ? (/^(\S+?)(?:\[|$)/.exec(name)?.[1] ?? name) : name;
    const file = id.split('::')[0] ?? '';
    return file.endsWith('.py') && isUsable(id) && isInside(file) ? protect(id) : null;
  });
  return allOf(ids);
};

export const selectUnittestNames: SelectTests = ({ failures, files }) => {
  if (files.length > 0) return null;
  return allOf(
    failures.map((failure) => {
      const [, name, place] = UNITTEST_NAME.exec(failure) ?? [];
      if (name === undefined || place === undefined || place.startsWith('unittest.')) return null;
      return place.endsWith(`.${name}`) ? place : `${place}.${name}`;
    }),
  );
};

/** A package without a test was not built: then all tests of all named packages run. Files stand for their package. */
export const selectGoTests: SelectTests = ({ failures, files }) => {
  const found = failures.map((failure) => GO_NAME.exec(failure));
  const packages = allOf(found.map((names) => (names?.[1]?.includes('/') === true ? names[1] : null)));
  const folders = allOf(files.map((path) => (GO_FILE.test(path) && isInside(path) ? `./${folderOf(path)}` : null)));
  if (packages === null || packages.some((name) => name.startsWith('-') || !isInside(name))) return null;
  if (folders === null) return null;
  const tests = found.map((names) => names?.[2]);
  if (folders.length > 0 || tests.includes(undefined)) return unique([...packages, ...folders]);
  return ['-run', `^(?:${unique(tests).join('|')})$`, ...packages];
};

export const selectCargoTests: SelectTests = ({ failures, files }) =>
  files.length === 0 && failures.every((name) => CARGO_NAME.test(name)) ? ['--', '--exact', ...unique(failures)] : null;

function filesIn({ failures, files }: TestSelection, pattern: RegExp): readonly string[] | null {
  const named = failures.map((failure) => pattern.exec(failure)?.[1] ?? null);
  const whole = files.map((file) => (SCRIPT_FILE.test(file) ? file : null));
  return allOf(
    [...whole, ...named].map((file) => (file !== null && isUsable(file) && isInside(file) ? protect(file) : null)),
  );
}

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');

const isUsable = (name: string): boolean => !PLACEHOLDER.test(name) && !UNUSABLE.test(name);
const isInside = (path: string): boolean => !path.startsWith('/') && !path.split(/[\\/]/).includes('..');
/** A path that begins with a dash would be an option. */
const protect = (path: string): string => (path.startsWith('-') ? `./${path}` : path);
const unique = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];
const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

function allOf(items: readonly (string | null)[]): readonly string[] | null {
  const found = items.filter((item) => item !== null);
  return found.length === items.length ? unique(found) : null;
}
