import { patchedPath, readPatch } from '#kernel';

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|java|kts?|scala|groovy|rb|php|cs|swift|c|cc|cpp|sh)$/i;
const VALUE = /'([^'\n]{2,200})'|"([^"\n]{2,200})"|`([^`\n]{2,200})`|(?<![\w.])(\d[\d_]*(?:\.\d+)?)(?![\w.])/g;
/** Units, percentages and single digits appear in any code. */
const COMMON_NUMBER = /^\d0*$/;
/** A value that stands behind, or before, such a sign decides what the code does. */
const COMPARED_BEHIND = /(?:[=!]==?|\bcase|\bis|\bin|\beq|-eq)\s*\(?$/;
const COMPARED_BEFORE = /^(?:\s*[=!]==?|\s+(?:in|is|eq)\b|\s?=>|:|\s*\])/;
const LOOKS_UP = /\.(?:includes|indexOf|has|get|equals|startsWith|endsWith|test|match)\(|\bnew (?:Set|Map)\(/;
const MOST_VALUES = 20;
const LONGEST_LINE = 2_000;

interface CopyFacts {
  readonly patch: string;
  /** Texts of tests and checks. */
  readonly tests: readonly string[];
  /** The request and its plan: words that they name, such as `dark`, belong into the code. */
  readonly asked: string;
  readonly isTestFile: (path: string) => boolean;
}

/**
 * Strings and numbers that new code compares with, and that its tests or checks use as well. Such code may know the
 * answers of its tests and nothing else. Honest code has such values too: this is a reason to read it, and no verdict.
 */
export function findCopiedValues({ patch, tests, asked, isTestFile }: CopyFacts): readonly string[] {
  const used = new Set(tests.flatMap((text) => text.split('\n').flatMap((line) => readValues(line).map(toText))));
  const found = new Set<string>();
  for (const file of readPatch(patch)) {
    const path = patchedPath(file);
    if (!CODE.test(path) || isTestFile(path)) continue;
    const lines = file.hunks.flat();
    const old = lines.flatMap(({ kind, text }) => (kind === '+' ? [] : readValues(text).map(toText)));
    const known = new Set(old);
    for (const { text, isCompared } of lines.flatMap((line) => (line.kind === '+' ? readValues(line.text) : []))) {
      if (isCompared && used.has(text) && !known.has(text) && !isAskedWord(text, asked)) found.add(text);
    }
  }
  return [...found].slice(0, MOST_VALUES);
}

/** A request names samples as well, such as `1.5kb`. Code that compares with a sample is for that sample only. */
const isAskedWord = (text: string, asked: string): boolean => /^\p{L}[\p{L}_-]*$/u.test(text) && asked.includes(text);

interface Value {
  readonly text: string;
  readonly isCompared: boolean;
}

const toText = ({ text }: Value): string => text;

function readValues(whole: string): readonly Value[] {
  const line = whole.slice(0, LONGEST_LINE);
  const looksUp = LOOKS_UP.test(line);
  return [...line.matchAll(VALUE)].flatMap((match) => {
    const [all, single, double, template, number] = match;
    const text = single ?? double ?? template ?? number ?? '';
    if (number !== undefined && COMMON_NUMBER.test(number)) return [];
    const behind = line.slice(match.index + all.length);
    const isCompared = looksUp || COMPARED_BEHIND.test(line.slice(0, match.index)) || COMPARED_BEFORE.test(behind);
    return [{ text, isCompared }];
  });
}
