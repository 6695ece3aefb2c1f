interface Versions {
  readonly base: string;
  /** Null if the result does not have the file. */
  readonly result: string | null;
  /** Scripts that verify commands call by name. */
  readonly verified: readonly string[];
  /** Scripts that the base does not have stay, unless they run before or after one that it has. */
  readonly keepsNewScripts?: boolean;
}

/**
 * A manifest of the result with the test settings of the base. The tests of the base run with it: a change could leave
 * some of them out otherwise. Null if the result's own manifest will do.
 */
export function withTestSettings(path: string, versions: Versions): string | null {
  const { base, result } = versions;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name !== 'package.json' && name !== 'pyproject.toml' && name !== 'setup.cfg') return null;
  if (result === null) return base;
  return name === 'package.json' ? mergePackage({ ...versions, result }) : mergeSections(base, result);
}

type JsonRecord = Readonly<Record<string, unknown>>;

/** Fields of a package.json that set up a runner. */
export const RUNNER_KEYS = ['jest', 'vitest', 'mocha', 'ava', 'nyc', 'c8', 'tap'] as const;

function mergePackage({ base, result, ...how }: Versions & { readonly result: string }): string | null {
  const [before, after] = [readRecord(base), readRecord(result)];
  if (before === null) return null;
  if (after === null) return base;
  const merged = { ...withKeys(after, before, RUNNER_KEYS), ...mergeScripts(before, after, how) };
  return JSON.stringify(merged) === JSON.stringify(after) ? null : `${JSON.stringify(merged, null, 2)}\n`;
}

/** The first record with these keys as the second one has them. */
function withKeys(record: JsonRecord, other: JsonRecord, keys: readonly string[]): JsonRecord {
  const kept = Object.entries(record).filter(([key]) => !keys.includes(key) || Object.hasOwn(other, key));
  const taken = keys.filter((key) => Object.hasOwn(other, key)).map((key) => [key, other[key]] as const);
  return Object.fromEntries([...kept, ...taken]);
}

const TEST_NAME = /test|spec|check|verify|unit|e2e|coverage/i;
const RUNNER = /\b(?:vitest|jest|mocha|ava|tap|playwright|cypress|pytest|nyc|c8)\b|\bnode\b.*--test\b/;

/** Scripts that build or publish stay as the result has them. */
function mergeScripts(
  before: JsonRecord,
  after: JsonRecord,
  { verified, keepsNewScripts = false }: Pick<Versions, 'verified' | 'keepsNewScripts'>,
): JsonRecord {
  const [old, fresh] = [asRecord(before['scripts']) ?? {}, asRecord(after['scripts'])];
  const isApart = (name: string): boolean =>
    keepsNewScripts && ![name, name.replace(/^(?:pre|post)/, '')].some((one) => Object.hasOwn(old, one));
  const concernsTests = (name: string): boolean =>
    verified.includes(name) ||
    TEST_NAME.test(name) ||
    [old[name], fresh?.[name]].some((script) => typeof script === 'string' && RUNNER.test(script));
  const names = [...new Set([...Object.keys(fresh ?? {}), ...Object.keys(old)])];
  const runsTests = (name: string): boolean => !isApart(name) && concernsTests(name);
  const scripts = withKeys(fresh ?? {}, old, names.filter(runsTests));
  return fresh === null && Object.keys(scripts).length === 0 ? {} : { scripts };
}

export function readRecord(text: string): JsonRecord | null {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return null;
  }
}

const asRecord = (value: unknown): JsonRecord | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null;

const HEADER = /^\s*\[{1,2}([^\]\n]+)\]{1,2}\s*(?:[#;].*)?$/;
export const TEST_SECTION = /^(?:tool[.:])?(?:pytest|coverage)(?:[.:]|$)/;
/** The same settings without a section of their own. */
const TEST_KEY = /\bpytest\b["'\s]*[.=]|\bcoverage\b["'\s]*[.=]/;

function mergeSections(base: string, result: string): string | null {
  const [before, after] = [splitSections(base), splitSections(result)];
  const isHidden = after.outer.some((line) => TEST_KEY.test(line) && !before.outer.includes(line));
  if (isHidden) return base;
  if (before.settings.trim() === after.settings.trim()) return null;
  return before.settings === '' ? after.others : `${after.others.trimEnd()}\n\n${before.settings}`;
}

interface Sections {
  readonly settings: string;
  readonly others: string;
  /** Lines of no section, and of the section around all tools: keys with dots may set anything there. */
  readonly outer: readonly string[];
}

/** Each line with the name of its section. A header inside a text of several lines breaks the file: no test passes then. */
export function splitLines(text: string): readonly { readonly line: string; readonly section: string }[] {
  let section = '';
  return text.split(/(?<=\n)/).map((line) => {
    section = HEADER.exec(line.trimEnd())?.[1]?.replaceAll(/["'\s]/g, '') ?? section;
    return { line, section };
  });
}

function splitSections(text: string): Sections {
  const [settings, others, outer]: [string[], string[], string[]] = [[], [], []];
  for (const { line, section } of splitLines(text)) {
    (TEST_SECTION.test(section) ? settings : others).push(line);
    if (section === '' || section === 'tool') outer.push(line);
  }
  return { settings: settings.join(''), others: others.join(''), outer };
}
