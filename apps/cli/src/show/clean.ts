import { wellFormed } from '#kernel';

const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;
/**
 * What a terminal obeys instead of showing it: control characters, those that turn the direction of text around, and
 * those that no text may be exchanged with, as styles are marked with some of them here.
 */
const OBEYED = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef]/gu;

/** Text of somebody else, as a terminal may show it. */
export const cleanText = (text: string): string =>
  wellFormed(text).replaceAll(LINE_BREAKS, '\n').replaceAll(OBEYED, '');

/** An answer of the service with all its texts cleaned. */
export function clean<T>(value: T): T {
  return cleaned(value) as T;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [cleanText(key), cleaned(one)]));
}

/** JSON on one line that no terminal obeys, and that reads back as it was. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
