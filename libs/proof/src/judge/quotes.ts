import { tokensIn } from '../scope/names-in-text.js';
import { findSharedWord, isOfTestCode } from '../scope/shared-words.js';
import type { ChangedTest } from './proof-facts.js';

const FEWEST_WORDS = 2;

/**
 * Whether the request contradicts a test: the quote stands in the request, and it names something of the test. Any two
 * words of the request would do otherwise.
 */
export const isContradicted = (request: string, { quote, file, name, text = '' }: ChangedTest): boolean =>
  isQuoteOf(request, quote) &&
  (findSharedWord(quote, [file, name ?? '', text].join('\n')) !== null ||
    namesFile(quote, file) ||
    namesValue(quote, [name ?? '', text].join('\n')));

/** Whether a text has the whole path of a file, though all words of the path are common ones. */
const namesFile = (quote: string, file: string): boolean =>
  tokensIn(quote).some(({ kind, text }) => kind === 'path' && text === file);

/** One digit stands in almost any text. */
const NUMBER = /(?<![\w.])\d[\d_]*(?:\.\d+)?(?![\w]|\.\d)/g;
const FEWEST_DIGITS = 2;

/** Whether a text has a name that it writes as code, or a number, that stands in a test, though both may be common. */
function namesValue(quote: string, test: string): boolean {
  const names = tokensIn(quote).flatMap(({ kind, text }) =>
    kind === 'name' && /^[^\d]./.test(text) && !isOfTestCode(text) ? [text] : [],
  );
  const numbers = (quote.match(NUMBER) ?? []).filter((one) => one.replaceAll(/\D/g, '').length >= FEWEST_DIGITS);
  const inTest = new Set(test.match(NUMBER));
  return names.some((name) => hasWords(test, name)) || numbers.some((one) => inTest.has(one));
}

/** Whether the request asks for something: the quote stands in the request, and it has one of these names in it. */
export const isAskedFor = (request: string, quote: string | null, names: readonly string[]): boolean =>
  isQuoteOf(request, quote) && names.some((name) => hasWords(toOneLine(quote), toOneLine(name)));

/** Whether a quote stands in the request, in whole words. One word stands in any request, so it takes at least two. */
function isQuoteOf(request: string, quote: string | null): quote is string {
  if (quote === null) return false;
  const words = quote.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.length >= FEWEST_WORDS && hasWords(toOneLine(request), toOneLine(quote));
}

const toOneLine = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim();

function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const isBegin = !isInWord(text[at - 1], words[0]);
    if (isBegin && !isInWord(words.at(-1), text[at + words.length])) return true;
  }
  return false;
}

/** Whether two neighbouring characters are parts of one word. */
const isInWord = (...characters: readonly (string | undefined)[]): boolean =>
  characters.every((one) => one !== undefined && /[\p{L}\p{N}_]/u.test(one));

/** What a runner prints instead of a test if it cannot load a file. */
const WHOLE_FILE = /^(?:: Test suite failed to run| \[ \S+ \]|)$/;

/**
 * Whether a failure of the base's tests is of a test that the request contradicts. A file that no longer loads counts
 * if one of its tests is: its other tests run in the version of the result, or count as removed themselves.
 */
export function isExcused(failure: string, changed: readonly ChangedTest[], request: string): boolean {
  return changed.some((test) => {
    if (!isContradicted(request, test)) return false;
    const rest = restBehindFile(failure, test.file);
    if (rest === null) return test.name !== null && !/[./\\]/.test(failure) && isSameTest(failure, test.name);
    return WHOLE_FILE.test(rest) || test.name === null || isSameTest(rest, test.name);
  });
}

/** What a failure's name says behind the path of the file; null if it names another file or none. */
function restBehindFile(failure: string, file: string): string | null {
  const plain = failure.replace(/^(?:\|?[\w-]{1,60}\|? )?(?:\.\/)?/, '');
  const found = [failure, plain].find((name) => file !== '' && name.startsWith(file));
  if (found === undefined) return null;
  const rest = found.slice(file.length);
  return rest === '' || /^(?:: | > |::| \[ )/.test(rest) ? rest : null;
}

const isSameTest = (text: string, name: string): boolean =>
  name !== '' && (text === name || [': ', ' > ', ' › ', '::'].some((between) => text.endsWith(`${between}${name}`)));
