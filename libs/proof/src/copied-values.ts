import { patchedPath, readPatch } from '#kernel';

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|java|kts?|scala|groovy|rb|php|cs|swift|c|cc|cpp|sh)$/i;
const STRING = /'([^'\n]{2,200})'|"([^"\n]{2,200})"|`([^`\n]{2,200})`/g;
const NUMBER = /(?<![\w.])\d[\d_]*(?:\.\d+)?(?![\w.])/g;
/** Units, percentages and single digits stand in any code. */
const ROUND_NUMBER = /^\d0*$/;
/** What a line imports is no value. */
const IMPORT = /\b(?:from|import|require\s*\(|import\s*\()\s*(?:'[^'\n]*'|"[^"\n]*")/g;
const MOST_VALUES = 20;
const LONGEST_LINE = 2_000;

/**
 * Strings and numbers that a change adds to code, and that tests or checks use as well. Such code may know the answers
 * of its tests and nothing else. Honest code has such values too, so this is a reason to read it, and no verdict.
 */
export function findCopiedValues(
  patch: string,
  tests: readonly string[],
  isTestFile: (path: string) => boolean,
): readonly string[] {
  const used = new Set(tests.flatMap((text) => text.split('\n').flatMap(valuesIn)));
  const found = new Set<string>();
  for (const file of readPatch(patch)) {
    const path = patchedPath(file);
    if (!CODE.test(path) || isTestFile(path)) continue;
    const lines = file.hunks.flat();
    const before = new Set(lines.flatMap(({ kind, text }) => (kind === '+' ? [] : valuesIn(text))));
    for (const value of lines.flatMap(({ kind, text }) => (kind === '+' ? valuesIn(text) : []))) {
      if (used.has(value) && !before.has(value)) found.add(value);
    }
  }
  return [...found].slice(0, MOST_VALUES);
}

function valuesIn(line: string): readonly string[] {
  const text = line.slice(0, LONGEST_LINE).replaceAll(IMPORT, ' ');
  const strings = [...text.matchAll(STRING)].map(([, single, double, template]) => single ?? double ?? template ?? '');
  const numbers = (text.replaceAll(STRING, ' ').match(NUMBER) ?? []).filter((number) => !ROUND_NUMBER.test(number));
  return [...strings.filter((value) => /[\p{L}\p{N}]/u.test(value)), ...numbers.filter(({ length }) => length > 1)];
}
