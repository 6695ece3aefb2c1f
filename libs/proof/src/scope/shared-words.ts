import { isCommon } from './common-words.js';
import { EXTENSION, keyOf, tokensIn } from './names-in-text.js';

/** Words of test code that say nothing about what it tests. */
const TEST_CODE = new Set(
  'assert assertion async await deep def describe equal equals expects let not self strict throws'.split(' '),
);

/** Names that stand in any test, also if a request writes them as code. */
const IN_ANY_TEST = new Set('const function import it require return should test tests var'.split(' '));

export const isOfTestCode = (name: string): boolean => TEST_CODE.has(name) || IN_ANY_TEST.has(name);

/** Words of this length may differ at their end: `greets` and `greeting`, `week` and `weeks`. */
const SHORTEST_STEM = 4;

/** A word of the first text that stands in the second one too, and says something; null if there is none. */
export function findSharedWord(text: string, other: string): string | null {
  const others = wordsOf(other);
  return wordsOf(text).find((word) => others.some((one) => isSameWord(word, one))) ?? null;
}

/** Names are split into their words: a test may spell them in another way. */
const wordsOf = (text: string): readonly string[] => [
  ...new Set(
    tokensIn(text)
      .flatMap(({ text: name, kind }) => keyOf(kind === 'path' ? name.replace(EXTENSION, '') : name).split(' '))
      .filter((word) => !isCommon(word) && !TEST_CODE.has(word)),
  ),
];

function isSameWord(one: string, other: string): boolean {
  const [short = '', long = ''] = [stemOf(one), stemOf(other)].sort((a, b) => a.length - b.length);
  return one === other || (short.length >= SHORTEST_STEM && long.startsWith(short));
}

/** A word without a common ending. */
const stemOf = (word: string): string => word.replace(/(?<=.{4})(?:ing|ed|es|s)$/, '');
