import { plainLines } from '#kernel';

const LONGEST = 300;
const MOST_NAMES = 10;

/** One line of bounded length. Names and reasons come from repositories and models. */
export function toLine(text: string): string {
  const line = plainLines(text, 8 * LONGEST)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** A reason as the end of a sentence. */
export const toEnd = (reason: string): string => `${toLine(reason).replace(/[.\s]+$/, '')}.`;

export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map(toLine).join(', ');
  return names.length > MOST_NAMES ? `${shown} and ${String(names.length - MOST_NAMES)} more` : shown;
}
