/** As long as a request may be; a description is shorter. */
const MOST_CHARS = 20_000;

/** A text as words, to be asked for words and phrases: never for parts of words. */
export interface Words {
  /** In order, each in the form that `stem` gives it. */
  readonly list: readonly string[];
  readonly set: ReadonlySet<string>;
  /** All of them with a space on either side, in which a phrase is looked for. */
  readonly line: string;
}

export function wordsOf(text: string): Words {
  const list = (
    text
      .slice(0, MOST_CHARS)
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map(stem);
  return { list, set: new Set(list), line: ` ${list.join(' ')} ` };
}

/** Whether the text has this word, or these words one after the other. */
export function says(text: Words, term: Words): boolean {
  const [first] = term.list;
  if (first === undefined || !text.set.has(first)) return false;
  return term.list.length === 1 || text.line.includes(term.line);
}

/** One and many are one word: enough for "tests", "APIs" and "queries", and where it is wrong ("redi"), wrong on both sides. */
function stem(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss')) return word;
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}
