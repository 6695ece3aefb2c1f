const WORD = /[\p{L}\p{N}_]/u;

/**
 * The listed test that a planner means. Runners print long names, and a model often gives only the title. A part of a
 * name counts if exactly one listed name has it, between the ends of words. So does a line of the output with exactly one
 * listed name behind what the runner prints before it. Null if no name fits, or several do.
 */
export function findListedName(said: string, listed: readonly string[]): string | null {
  const wanted = said.trim().replaceAll(/^[`"']+|[`"']+$/g, '');
  if (listed.includes(wanted)) return wanted;
  if (!WORD.test(wanted)) return null;
  return (
    findOnly(listed, (name) => hasWords(name, wanted)) ??
    findOnly(listed, (name) => WORD.test(name) && wanted.endsWith(name) && hasWords(wanted, name))
  );
}

function findOnly(names: readonly string[], isMeant: (name: string) => boolean): string | null {
  const [found, ...others] = names.filter(isMeant);
  return found !== undefined && others.length === 0 ? found : null;
}

function hasWords(name: string, words: string): boolean {
  for (let at = name.indexOf(words); at >= 0; at = name.indexOf(words, at + 1)) {
    const isInWord = WORD.test(name.charAt(at - 1)) || WORD.test(name.charAt(at + words.length));
    if (!isInWord) return true;
  }
  return false;
}
