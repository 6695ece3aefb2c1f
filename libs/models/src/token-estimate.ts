const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

/** Bytes of a unit of UTF-16 in UTF-8; each half of a pair has two of its four. */
function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  return code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
}

/**
 * How many tokens a text has at most, for whoever must stay below a number of them and does not know the model: more
 * than the tokenizers of today's models count, never more than it has bytes. Two letters of a word are a token, each
 * digit and mark, and each byte of what is not ASCII; English has about half as many.
 */
export function tokensAtMost(text: string): number {
  let [sum, letters] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isLetter(code)) {
      letters += 1;
      sum += letters % 2;
      continue;
    }
    letters = 0;
    // A single space goes with the word behind it.
    const isLoneSpace = code === 32 && text.charCodeAt(at - 1) !== 32;
    sum += isLoneSpace ? 0 : bytesOf(code);
  }
  return sum;
}

/** As much of a text as has at most so many tokens; what is cut ends in `…`, which has three. */
export function cutToTokens(text: string, most: number): string {
  // A token is a byte at least, and two letters at most: nobody waits for a megabyte.
  const looked = text.slice(0, 8 * most);
  if (looked.length === text.length && tokensAtMost(looked) <= most) return text;
  let [fits, tooLong] = [0, looked.length + 1];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (tokensAtMost(looked.slice(0, middle)) + 3 <= most) fits = middle;
    else tooLong = middle;
  }
  // Never in the middle of a character.
  const end = /[\ud800-\udbff]/.test(looked.charAt(fits - 1)) ? fits - 1 : fits;
  return `${looked.slice(0, end).trimEnd()}…`;
}
