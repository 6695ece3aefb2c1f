/** How each runner is told to run certain tests. Each function returns null if one failure cannot be selected. */
export type SelectFailures = (failures: readonly string[]) => readonly string[] | null;

/** Failure names have placeholders for what differs between runs, and cut absolute paths. */
const PLACEHOLDER = /<(?:n|time|hex|uuid|tmp|long)>/;
const UNUSABLE = /[\u0000-\u001f\u007f\u2028\u2029…]/;

const NODE_FILE = /^([^:]{1,300}\.[cm]?[jt]sx?)(?:: .*)?$/;
const VITEST_FILE = /^(?:\|?[\w-]{1,60}\|? )?(\S{1,300}\.[cm]?[jt]sx?) (?:> |\[ )/;
const JEST_FILE = /^(\S{1,300}\.[cm]?[jt]sx?): /;
const GO_NAME = /^([\w./~-]{1,300})(?:: (\p{L}[\p{L}\p{N}_]{0,200})(?:\/.*)?)?$/u;
const UNITTEST_NAME = /^(\w{1,200}) \(([\w.]{1,300})\)/;
const CARGO_NAME = /^[\w:]{1,300}$/;

export const selectNodeFiles: SelectFailures = (failures) => filesIn(failures, NODE_FILE);
export const selectVitestFiles: SelectFailures = (failures) => filesIn(failures, VITEST_FILE);

export const selectJestFiles: SelectFailures = (failures) => {
  const files = filesIn(failures, JEST_FILE);
  return files && ['--runTestsByPath', ...files];
};

/** Mocha names no files, but its whole titles; these are the suites and the test with a space between. */
export const selectMochaTitles: SelectFailures = (failures) => {
  if (failures.some((name) => PLACEHOLDER.test(name) || UNUSABLE.test(name))) return null;
  const titles = failures.map((name) => escapePattern(name.split(' > ').join(' ')));
  return ['--grep', `^(?:${unique(titles).join('|')})$`];
};

export const selectPytestIds: SelectFailures = (failures) => {
  const ids = failures.map((name) => {
    const id = PLACEHOLDER.test(name) ? (/^(\S+?)(?:\[|$)/.exec(name)?.[1] ?? name) : name;
    const file = id.split('::')[0] ?? '';
    return file.endsWith('.py') && isUsable(id) && isInside(file) ? protect(id) : null;
  });
  return allOf(ids);
};

export const selectUnittestNames: SelectFailures = (failures) =>
  allOf(
    failures.map((failure) => {
      const [, name, place] = UNITTEST_NAME.exec(failure) ?? [];
      if (name === undefined || place === undefined || place.startsWith('unittest.')) return null;
      return place.endsWith(`.${name}`) ? place : `${place}.${name}`;
    }),
  );

/** A package without a test was not built: then all tests of all named packages run. */
export const selectGoTests: SelectFailures = (failures) => {
  const found = failures.map((failure) => GO_NAME.exec(failure));
  const packages = allOf(found.map((names) => (names?.[1]?.includes('/') === true ? names[1] : null)));
  if (packages === null || packages.some((name) => name.startsWith('-') || !isInside(name))) return null;
  const tests = found.map((names) => names?.[2]);
  if (tests.includes(undefined)) return packages;
  return ['-run', `^(?:${unique(tests).join('|')})$`, ...packages];
};

export const selectCargoTests: SelectFailures = (failures) =>
  failures.every((name) => CARGO_NAME.test(name)) ? ['--', '--exact', ...unique(failures)] : null;

function filesIn(failures: readonly string[], pattern: RegExp): readonly string[] | null {
  return allOf(
    failures.map((failure) => {
      const file = pattern.exec(failure)?.[1] ?? null;
      return file !== null && isUsable(file) && isInside(file) ? protect(file) : null;
    }),
  );
}

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
