const WORD = /[\p{L}\p{N}_]/u;

/**
 * The listed test that a planner means. Runners print long names, and a model often gives only the title. A part of a
 * name counts if exactly one listed name has it, between the ends of words. Null if no name fits, or several do.
 */
export function findListedName(said: string, listed: readonly string[]): string | null {
  const wanted = said.trim().replaceAll(/^[`"']+|[`"']+$/g, '');
  if (listed.includes(wanted)) return wanted;
  if (!WORD.test(wanted)) return null;
  const [found, ...others] = listed.filter((name) => hasWords(name, wanted));
  return found !== undefined && others.length === 0 ? found : null;
}

function hasWords(name: string, words: string): boolean {
  for (let at = name.indexOf(words); at >= 0; at = name.indexOf(words, at + 1)) {
    const isInWord = WORD.test(name.charAt(at - 1)) || WORD.test(name.charAt(at + words.length));
    if (!isInWord) return true;
  }
  return false;
}
