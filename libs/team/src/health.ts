import { LONGEST } from './bounds.js';
import { contentWords } from './words.js';

/** missing: nothing was written; silent: 0 bytes; stale: next to nothing, and its time is up; hollow: about nothing it was given. */
export type Health = 'good' | 'missing' | 'silent' | 'stale' | 'hollow';

export interface ReviewFacts {
  /** Null: nothing was written. */
  readonly bytes: number | null;
  readonly isPastTimeout: boolean;
  readonly text: string;
  /** Names of files, and words of the request. */
  readonly given: readonly string[];
}

const FEWEST_BYTES = 100;
/** Words of every request and every review: they show that it is a review, not that anything was looked at. */
const OF_ANY_REVIEW = contentWords(
  'add agent all app application bug change check code error everything file finding fix function good great implement ' +
    'improve issue line look looks make new nothing please problem project quality repository request review software ' +
    'summary system task test update use using user work',
);

export function healthOf({ bytes, isPastTimeout, text, given }: ReviewFacts): Health {
  if (bytes === null) return 'missing';
  if (bytes === 0) return 'silent';
  if (bytes < FEWEST_BYTES && isPastTimeout) return 'stale';
  return cites(text.slice(0, LONGEST.review), given) ? 'good' : 'hollow';
}

/** One thing is enough. Where nothing was given that could be cited, nobody can say that it was not. */
function cites(text: string, given: readonly string[]): boolean {
  const names = new Set<string>();
  const words = new Set<string>();
  for (const one of given) {
    if (isFile(one)) for (const name of namesOf(one)) names.add(name);
    else for (const word of contentWords(one)) if (word.length > 1 && !OF_ANY_REVIEW.has(word)) words.add(word);
  }
  if (names.size === 0 && words.size === 0) return text.trim() !== '';
  for (const word of contentWords(text)) if (words.has(word)) return true;
  return text.split(/[\s`'"()[\]{}<>,;*|:#]+/).some((token) => namesOf(token).some((name) => names.has(name)));
}

const isFile = (given: string): boolean => /[./]/.test(given) && !/\s/.test(given);

/** A path, and the name of the file alone: people say either. */
function namesOf(path: string): readonly string[] {
  const whole = path
    .toLowerCase()
    .replace(/^\.\//, '')
    .replace(/[.!?]{1,3}$/, '');
  const name = whole.slice(whole.lastIndexOf('/') + 1);
  return [whole, name].filter((one) => one.length > 1);
}
