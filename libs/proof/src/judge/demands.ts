const FEWEST_WORDS = 2;

/**
 * Whether words that somebody quotes as a demand stand in the request, and no listed part says the same. One word stands
 * in any request, so it takes at least two. Who quotes the whole request names no demand.
 */
export function isOpenDemand(quote: string, request: string, parts: readonly { readonly title: string }[]): boolean {
  const [said, whole] = [toWords(quote), toWords(request)];
  if (said.split(' ').length < FEWEST_WORDS || said === whole || !isWithin(said, whole)) return false;
  return !parts.some(({ title }) => isWithin(said, toWords(title)));
}

const toWords = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const isWithin = (words: string, text: string): boolean => words !== '' && ` ${text} `.includes(` ${words} `);
