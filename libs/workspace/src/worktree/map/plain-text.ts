import { wellFormed } from '#kernel';

/** Formatting characters (Cf) are invisible: they can reorder a line or hide words from a person. */
const INVISIBLE = /[\p{Cf}\p{Co}\uFEFF]/gu;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const CONTROL_BUT_TAB = /[^\P{Cc}\t]/gu;

/** One line without control characters, at most `most` characters long. */
export function cleanLine(text: string, most: number): string {
  const clean = wellFormed(text.slice(0, most * 4))
    .replace(INVISIBLE, '')
    .replace(CONTROL, ' ');
  return cutText(clean.trim(), most);
}

/** The same for a text of several lines, each at most `mostInLine` characters long. */
export function cleanLines(text: string, mostInLine: number): string {
  const lines = wellFormed(text)
    .replace(INVISIBLE, '')
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => cutText(line.replace(CONTROL_BUT_TAB, '').trimEnd(), mostInLine));
  return lines.join('\n').trim();
}

/** Cuts between characters and says so by an ellipsis. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, Math.max(0, most - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The first lines that fit into `room` characters with a last line that counts the rest. */
export function fitLines(lines: readonly string[], room: number, rest: (left: number) => string): readonly string[] {
  const lengths = lines.map((line) => line.length + 1);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total <= room) return lines;
  let left = room - rest(lines.length).length - 1;
  const end = lengths.findIndex((length) => (left -= length) < 0);
  return left + (lengths[end] ?? 0) < 0 ? [] : [...lines.slice(0, end), rest(lines.length - end)];
}
