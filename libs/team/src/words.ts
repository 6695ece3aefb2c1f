const STOP_WORDS = new Set(
  (
    'a an and are as at be been being but by can could did do does done for from had has have how i if in into is it its ' +
    'may might must no nor not of on once one only or our out over own shall should so some such than that the their ' +
    'them then there these they this those through to too under up upon very was we were what when where which while ' +
    'who why will with within without would you your'
  ).split(' '),
);
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** Scripts that write no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
const LONGEST_WORD = 60;

let segmenter: Intl.Segmenter | undefined;

/** The words of a text that carry its meaning, each once, in the order of their first appearance. */
export function contentWords(text: string): ReadonlySet<string> {
  const lower = text.normalize('NFKC').toLowerCase();
  const words = UNSPACED.test(lower) ? segmented(lower) : (lower.match(WORD) ?? []);
  return new Set(words.map((word) => singular(word.slice(0, LONGEST_WORD))).filter((word) => !STOP_WORDS.has(word)));
}

function segmented(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** `users` as `user`, but neither `class` nor `status`. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s')) return word;
  return word.endsWith('ss') || word.endsWith('us') ? word : word.slice(0, -1);
}

export function sharedWords(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const [few, many] = some.size <= others.size ? [some, others] : [others, some];
  let shared = 0;
  for (const word of few) if (many.has(word)) shared += 1;
  return shared;
}

/** 0: nothing in common; 1: the same words (Jaccard). */
export function likeness(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const shared = sharedWords(some, others);
  const all = some.size + others.size - shared;
  return all === 0 ? 0 : shared / all;
}
