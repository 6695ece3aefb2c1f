import { isWellFormed } from '#kernel';
import { LONGEST } from '../bounds.js';

export interface Place {
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly line: number | null;
}

const LINE = /(?::|#L)(\d{1,7})(?:[-–:](?:L?\d{1,7}))?$/;
const OUTSIDE = /^(?:[/~]|[a-z]:|[a-z][a-z0-9+.-]{1,20}:\/\/)/i;
const NO_PART_OF_A_PATH = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** `src/a.ts`, `./src/a.ts:12`, `src/a.ts#L12-L20`; null for anything that does not stay within the repository. */
export function placeOf(text: string): Place | null {
  if (text.length > LONGEST.path + 40) return null;
  const trimmed = text.trim().replaceAll('`', '').replaceAll('\\', '/');
  const line = LINE.exec(trimmed);
  const path = line ? trimmed.slice(0, line.index) : trimmed;
  if (OUTSIDE.test(path) || NO_PART_OF_A_PATH.test(path) || !isWellFormed(path)) return null;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const file = parts.join('/');
  if (file === '' || file.length > LONGEST.path || parts.some((part) => part.trim() === '..')) return null;
  return { file, line: Number(line?.[1] ?? 0) || null };
}

/** The first file that a sentence speaks of: one with a folder or a line, or one set in backticks. */
export function placeIn(text: string): Place | null {
  const bounded = text.slice(0, 2_000);
  const quoted = [...bounded.matchAll(/`([^`\n]{1,540})`/g)].map(([, inside = '']) => inside);
  const bare = bounded.split(/[\s`'"()[\]{}<>,;*|]+/).filter((word) => /[/:#]/.test(word));
  for (const word of [...quoted, ...bare]) {
    const place = placeOf(word.replace(/[.:]{1,3}$/, ''));
    if (place && !/\s/.test(place.file) && /\.[a-z]\w{0,7}$/i.test(place.file)) return place;
  }
  return null;
}
