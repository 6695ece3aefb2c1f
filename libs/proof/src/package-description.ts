import { isDeepStrictEqual } from 'node:util';

interface Versions {
  /** Null if the base does not have the file. */
  readonly base: string | null;
  /** Null if the result does not have the file. */
  readonly result: string | null;
}

type JsonRecord = Readonly<Record<string, unknown>>;

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
      return isDeepStrictEqual(withoutDescription(before), withoutDescription(after));
    case 'package-lock.json':
      return isDeepStrictEqual(lockWithoutDescription(before), lockWithoutDescription(after));
    default:
      return false;
  }
}

const withoutDescription = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !DESCRIBING.has(key)));

/** A lock file repeats the description of its package, at the top and in the entry without a name. */
function lockWithoutDescription(lock: JsonRecord): JsonRecord {
  const { name: _name, version: _version, ...others } = lock;
  const packages = asRecord(lock['packages']);
  const own = asRecord(packages?.['']);
  return packages && own ? { ...others, packages: { ...packages, '': withoutDescription(own) } } : others;
}

function readRecord(text: string | null): JsonRecord | null {
  try {
    return asRecord(JSON.parse(text ?? 'null'));
  } catch {
    return null;
  }
}

const asRecord = (value: unknown): JsonRecord | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null;
