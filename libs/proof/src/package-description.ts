import { canonicalJson, type JsonObject } from '#kernel';

interface Versions {
  /** Null if the base does not have the file. */
  readonly base: string | null;
  /** Null if the result does not have the file. */
  readonly result: string | null;
}

/** Fields that say what a package is and what it offers. None of them says how its tests run or what is installed. */
const DESCRIBING = new Set([
  ...['name', 'version', 'description', 'keywords', 'homepage', 'bugs', 'license', 'author', 'contributors'],
  ...[
    'maintainers',
    'funding',
    'repository',
    'private',
    'publishConfig',
    'engines',
    'os',
    'cpu',
    'files',
    'directories',
  ],
  ...['main', 'module', 'browser', 'types', 'typings', 'exports', 'bin', 'man', 'sideEffects'],
]);

/**
 * Whether a manifest differs between base and result only in what it says about the package. A check of such a field,
 * for example of `engines`, is red only with the manifest of the base.
 */
export function changesOnlyDescription(path: string, { base, result }: Versions): boolean {
  const [before, after] = [readRecord(base), readRecord(result)];
  if (before === null || after === null) return false;
  switch (path.slice(path.lastIndexOf('/') + 1)) {
    case 'package.json':
      return isSame(withoutDescription(before), withoutDescription(after));
    case 'package-lock.json':
      return isSame(lockWithoutDescription(before), lockWithoutDescription(after));
    default:
      return false;
  }
}

const DEPENDENCY_FIELDS = [
  ...['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies', 'overrides', 'resolutions'],
];
const LOCK_FILE =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|Pipfile\.lock)$/;
const REQUIREMENTS = /^requirements[\w.-]*\.txt$/;

/**
 * Names of the dependencies in which a manifest differs between base and result; a lock file names none of its own.
 * Null if anything else may differ, beside the description of the package.
 */
export function changedDependencies(path: string, { base, result }: Versions): readonly string[] | null {
  const file = path.slice(path.lastIndexOf('/') + 1);
  if (LOCK_FILE.test(file)) return [];
  if (REQUIREMENTS.test(file)) return changedRequirements(base ?? '', result ?? '');
  const [before, after] = file === 'package.json' ? [readRecord(base), readRecord(result)] : [null, null];
  if (before === null || after === null) return null;
  if (!isSame(withoutDependencies(before), withoutDependencies(after))) return null;
  return DEPENDENCY_FIELDS.flatMap((field) => {
    const [old, fresh] = [asRecord(before[field]) ?? {}, asRecord(after[field]) ?? {}];
    const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
    return names.filter((name) => !isSame({ of: old[name] ?? null }, { of: fresh[name] ?? null }));
  });
}

const withoutDependencies = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(withoutDescription(record)).filter(([key]) => !DEPENDENCY_FIELDS.includes(key)));

/** Options, such as another index, are no dependencies. */
function changedRequirements(base: string, result: string): readonly string[] | null {
  const [old, fresh] = [readLines(base), readLines(result)];
  const changed = [...old.filter((line) => !fresh.includes(line)), ...fresh.filter((line) => !old.includes(line))];
  const names = changed.flatMap((line) => /^[A-Za-z0-9][\w.-]*/.exec(line)?.[0] ?? []);
  return names.length === changed.length ? [...new Set(names)] : null;
}

const readLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

function isSame(one: JsonObject, other: JsonObject): boolean {
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    // Half a character has no canonical text.
    return false;
  }
}

const withoutDescription = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !DESCRIBING.has(key)));

/** A lock file repeats the description of its package, at the top and in the entry without a name. */
function lockWithoutDescription(lock: JsonObject): JsonObject {
  const { name: _name, version: _version, ...others } = lock;
  const packages = asRecord(lock['packages']);
  const own = asRecord(packages?.['']);
  return packages && own ? { ...others, packages: { ...packages, '': withoutDescription(own) } } : others;
}

function readRecord(text: string | null): JsonObject | null {
  try {
    return asRecord(JSON.parse(text ?? 'null'));
  } catch {
    return null;
  }
}

const asRecord = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
