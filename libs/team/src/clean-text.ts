import { wellFormed } from '#kernel';

const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;
/** Control characters, and those that turn the direction of text around: a page must read as it is stored. */
const UNSEEN = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/** What an agent wrote, as text that every store and page can carry: at most `most` characters, none of them half. */
export function cleanText(text: string, most: number): string {
  // What is looked at is bounded first: what is dropped on the way may shorten it, but nobody waits for a megabyte.
  const plain = wellFormed(text.trimStart().slice(0, 4 * most))
    .replaceAll(LINE_BREAKS, '\n')
    .replaceAll(UNSEEN, '');
  return cut(plain.trim(), most);
}

/** The same in one line. */
export const cleanLine = (text: string, most: number): string =>
  cut(cleanText(text, 4 * most).replaceAll(/\s+/g, ' '), most);

/** Never in the middle of a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 2)) ? most - 2 : most - 1;
  return `${text.slice(0, end).trimEnd()}…`;
}
