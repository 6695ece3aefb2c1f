import { wellFormed } from '#kernel';

const LONGEST_NAME = 64;
const MOST_ITEMS = 64;
const LONGEST_ITEM = 200;

/** Text that every store and every terminal can carry: no control characters, no half characters, no more than `most`. */
export function cleanText(text: string, most: number): string {
  // The class is of control characters; a name for it keeps them out of the source.
  return wellFormed(text.slice(0, most))
    .replace(/[^\P{Cc}\n\t]/gu, ' ')
    .trim();
}

/** A name that may stand in paths, branches and messages; empty where nothing of the text can. */
export function nameOf(text: string): string {
  return text
    .slice(0, 1_000)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, LONGEST_NAME)
    .replace(/-$/, '');
}

export type Fields = ReadonlyMap<unknown, unknown>;

/** A text, or a number or truth value as one; null where there is none, and where it is a list or a map. */
export function textField(fields: Fields, key: string): string | null {
  const value = fields.get(key);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** A list, or a text that is one: `Read, Grep` and `Bash(git log:*) Read` alike. Null where the key has no value. */
export function listField(fields: Fields, key: string, isSeparator: RegExp): readonly string[] | null {
  const value = fields.get(key);
  if (value === undefined || value === null) return null;
  const items = Array.isArray(value) ? (value as unknown[]) : split(textField(fields, key) ?? '', isSeparator);
  const texts = items.slice(0, MOST_ITEMS).flatMap((item) => (typeof item === 'string' ? [item] : []));
  return [...new Set(texts.map((item) => cleanText(item, LONGEST_ITEM)).filter((item) => item !== ''))];
}

/** At separators that are in no brackets. */
function split(text: string, isSeparator: RegExp): string[] {
  const items = [''];
  let depth = 0;
  for (const char of text.slice(0, MOST_ITEMS * LONGEST_ITEM)) {
    if (char === '(') depth += 1;
    if (char === ')') depth = Math.max(0, depth - 1);
    if (depth === 0 && isSeparator.test(char)) items.push('');
    else items[items.length - 1] += char;
  }
  return items.filter((item) => item.trim() !== '');
}
