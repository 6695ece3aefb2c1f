import { BLOT } from './secret-value.js';

const KIND = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----';
const END = `-----END ${KIND}`;
/** One without an end goes on to the end of the text. */
const BEGUN = new RegExp(String.raw`-----BEGIN ${KIND}[\s\S]*?(?:${END}|$)`, 'g');
const ENDED = new RegExp(END, 'g');

/** Between the lines of a key: breaks, in JSON too, and what numbers, quotes or compares them. */
const PARTS = /(?:\\[rnt]|\s|\\)+|[^\\\s]+/g;
const JOINT = /^(?:(?:\\[rnt]|\s|\\)+|[0-9"'`+\-|:,;]{1,8})$/;
const BODY = /^["'`+\-|=]{0,3}[A-Za-z0-9+/]+={0,2}["'`,;]{0,2}$/;
const SHORTEST_LINE = 20;
/** Of half a line so much is worth a blot, if it is no word. */
const HALF_LINE = /^(?![A-Z]?[a-z]+$)[A-Za-z0-9+/]{8,}={0,2}$/;
/** Longer than any key. */
const LONGEST_TAIL = 32 * 1024;
/** The last line of a key is as short as it happens to be, and a checksum may follow. */
const SHORT_LINES = 2;

export const mayHoldPrivateKey = (text: string): boolean => text.includes('PRIVATE KEY');

export function withoutPrivateKeys(text: string): string {
  if (!mayHoldPrivateKey(text)) return text;
  return withoutTails(text.replace(BEGUN, BLOT));
}

/** A key whose beginning was cut off: lines of base64 down to its end. */
function withoutTails(text: string): string {
  let clean = '';
  let done = 0;
  for (const { 0: end, index } of text.matchAll(ENDED)) {
    const before = text.slice(done, index);
    const kept = before.length - tailLength(before.slice(-LONGEST_TAIL), index <= LONGEST_TAIL && done === 0);
    clean += before.slice(0, kept) + (kept < before.length ? BLOT : end);
    done = index + end.length;
  }
  return clean + text.slice(done);
}

function tailLength(before: string, isWholeText: boolean): number {
  const parts = before.match(PARTS) ?? [];
  let [length, seen, short] = [0, 0, 0];
  for (const [nth, part] of [...parts.entries()].reverse()) {
    seen += part.length;
    if (JOINT.test(part)) continue;
    if (!BODY.test(part)) break;
    const isLong = part.length >= SHORTEST_LINE;
    // Nothing may be left of the text before it but half a line.
    const isCut = isWholeText && nth === 0 && length > 0 && HALF_LINE.test(part);
    short += isLong || isCut ? 0 : 1;
    if (short > SHORT_LINES || (!isLong && !isCut && length > 0)) break;
    if (isLong || isCut) length = seen;
  }
  return length;
}
