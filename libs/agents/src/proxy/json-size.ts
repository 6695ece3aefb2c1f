import { Refusal } from './refusal.js';

/** Each value takes memory and time that its few bytes do not show. The longest conversations have some ten thousand. */
const MOST_VALUES = 1_000_000;
const DEEPEST = 256;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses JSON that is far dearer to parse than its length says, before it is parsed. A list or object after a comma
 * counts twice: a bound is wanted here, not a census.
 */
export function refuseDearJson(bytes: Buffer, mostValues = MOST_VALUES): void {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (values > mostValues) throw new Refusal(413, 'JSON_TOO_LARGE', 'the body has too many values');
    if (depth > DEEPEST) throw new Refusal(400, 'JSON_TOO_DEEP', 'the body is nested too deeply');
  }
}

/** Where the quote stands that ends the string that begins there; the end of the bytes where there is none. */
function endOfString(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return bytes.length;
}
