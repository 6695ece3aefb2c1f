import { readRecord, RUNNER_KEYS, splitLines, TEST_SECTION } from './test-settings.js';

interface Versions {
  /** Null if the base does not have the file. */
  readonly base: string | null;
  /** Null if the result does not have the file. */
  readonly result: string | null;
}

/** Fields that no code of the package depends on. */
const FIELDS_OF_TESTS: Readonly<Record<string, readonly string[]>> = {
  'package.json': [...RUNNER_KEYS, 'scripts', 'devDependencies'],
  'composer.json': ['scripts', 'require-dev', 'autoload-dev'],
};
/** A new file has to say them. */
const ABOUT_PACKAGE = ['name', 'version', 'private', 'description', 'license', 'author'];

const WITH_SECTIONS = ['pyproject.toml', 'setup.cfg', 'Cargo.toml'];
const DEVELOPMENT_SECTION =
  /(?:^|\.)dev-dependencies(?:\.|$)|^dependency-groups$|^project\.optional-dependencies$|^options\.extras_require$|^tool\.poetry\.group\.(?:dev|tests?)\.dependencies$/;

const TEST_TOOL =
  /^(?:pytest|coverage|hypothesis|mock|nose|tox|unittest|freezegun|faker|factory|responses|requests-mock|respx|vcrpy|parameterized)\b/i;

/**
 * Whether a manifest changed only as new tests may need it: scripts, settings of runners, and dependencies of development.
 * If nobody can tell, as in a `go.mod`, the change is there for the tests that came with it.
 */
export function isManifestOfTests(path: string, { base, result }: Versions): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const fields = FIELDS_OF_TESTS[name];
  if (fields !== undefined) {
    return fieldsOf(base, fields) === fieldsOf(result, base === null ? [...fields, ...ABOUT_PACKAGE] : fields);
  }
  if (WITH_SECTIONS.includes(name)) return sectionsOf(base) === sectionsOf(result);
  return name !== 'requirements.txt' || changedLines(base ?? '', result ?? '').every((line) => TEST_TOOL.test(line));
}

/** All other fields. Text that is no JSON counts as it is. */
function fieldsOf(text: string | null, without: readonly string[]): string {
  const record = text === null ? {} : readRecord(text);
  if (record === null) return text ?? '';
  const others = Object.entries(record).filter(([key]) => !without.includes(key));
  return JSON.stringify(others.sort(([a], [b]) => a.localeCompare(b)));
}

const sectionsOf = (text: string | null): string =>
  splitLines(text ?? '')
    .filter(({ section }) => !TEST_SECTION.test(section) && !DEVELOPMENT_SECTION.test(section))
    .map(({ line }) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .join('\n');

function changedLines(base: string, result: string): readonly string[] {
  const linesOf = (text: string): readonly string[] => text.split('\n').map((line) => line.trim());
  const [before, after] = [linesOf(base), linesOf(result)];
  return [...before.filter((line) => !after.includes(line)), ...after.filter((line) => !before.includes(line))].filter(
    (line) => line !== '' && !line.startsWith('#'),
  );
}
