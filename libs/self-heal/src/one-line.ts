import { plainLines, wellFormed } from '#kernel';

/** One line without anything that only terminals understand. */
export const oneLine = (text: string, mostCharacters: number): string =>
  cutTo(
    plainLines(text, 8 * mostCharacters)
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim(),
    mostCharacters,
  );

/** The beginning of a text; never half a character. */
export const cutTo = (text: string, mostCharacters: number): string =>
  text.length <= mostCharacters ? text : `${wellFormed(text.slice(0, mostCharacters - 1)).replace(/\ufffd$/, '')}…`;
