/** How a reader finds numbers, ids and names beside words that it knows. */

/** The number before some words on their line, as in `2. the words` or `Part 2: the words`. */
export function numberBefore(text: string, words: string): number | null {
  for (const at of placesOf(text, words)) {
    const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
    const found = /^\W{0,4}(?:[a-z]{1,12}\W{1,3})?(\d+)\D{0,12}$/i.exec(line)?.[1];
    if (found !== undefined) return Number(found);
  }
  return null;
}

const ID = /\b[A-Z]{1,3}\d?-\d{1,4}\b/g;
const NEAR = 200;

/** The id that stands nearest to some words, before them if possible. */
export function idNear(text: string, words: string): string | null {
  for (const at of placesOf(text, words)) {
    const before = text
      .slice(Math.max(0, at - NEAR), at)
      .match(ID)
      ?.at(-1);
    const after = text.slice(at, at + words.length + NEAR).match(ID)?.[0];
    if (before ?? after) return before ?? after ?? null;
  }
  return null;
}

/** The whole name of a test with a title, as the text lists it: `file: title`, or `title (module.title)` in Python. */
export function listedName(text: string, title: string): string {
  const names = text
    .split('\n')
    .map((line) =>
      line
        .replace(/^[\s>*•✖-]*(?:\d+[.)]\s*)?/, '')
        .replace(/[\s`"',]+$/, '')
        .replace(/^[`"']+/, ''),
    )
    .filter((line) => line.replace(/\)$/, '').endsWith(title) && !/^not ok\b/.test(line));
  return names.toSorted((a, b) => a.length - b.length).find((name) => name !== title) ?? title;
}

/** The first line under each number of a list, as in `2. the words`. */
export function numberedLines(text: string): readonly { readonly number: number; readonly line: string }[] {
  const lines = new Map<number, string>();
  for (const [, number = '', line = ''] of text.matchAll(/^(\d{1,3})\. (.+)$/gm)) {
    if (!lines.has(Number(number))) lines.set(Number(number), line);
  }
  return [...lines].map(([number, line]) => ({ number, line }));
}

function* placesOf(text: string, words: string): Generator<number> {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) yield at;
}
