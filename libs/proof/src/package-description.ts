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
