/** As long as a request may be. */
const LONGEST_TEXT = 20_000;
const LONGEST_WORD = 64;
const MOST_WORDS = 200;

/**
 * The words to look for, each once, in their order: letters, their marks and digits only, so that nothing in somebody's
 * text can be taken for an operator of a search.
 */
export function searchWords(text: string): readonly string[] {
  const found =
    text
      .slice(0, LONGEST_TEXT)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Set(found.filter(({ length }) => length > 1 && length <= LONGEST_WORD))].slice(0, MOST_WORDS);
}
