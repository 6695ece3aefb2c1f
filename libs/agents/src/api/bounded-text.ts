import { type Redactor, wellFormed } from '#kernel';

/** More than this on either side of a cut is redacted before it is cut: half a secret would not be recognised. */
const MARGIN = 64 * 1_024;

/** A text for a model: without secrets, without U+0000, which no store takes, and of bounded length. */
export function cleanText(text: string, redactor: Redactor): string {
  return wellFormed(redactor.redact(text)).replaceAll('\0', '\ufffd');
}

/** Beginning and end of a text that is too long, with word of what is left out between. */
export function headAndTail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = Math.floor(maxChars / 3);
  const tail = maxChars - head;
  const leftOut = text.length - head - tail;
  return wellFormed(`${text.slice(0, head)}\n[… ${String(leftOut)} characters left out …]\n${text.slice(-tail)}`);
}

/** What a command wrote: secrets blotted out on both sides of the cut, and cut. */
export function commandText(text: string, maxChars: number, redactor: Redactor): string {
  const most = maxChars + 2 * MARGIN;
  if (text.length <= most) return headAndTail(cleanText(text, redactor), maxChars);
  const head = cleanText(text.slice(0, Math.floor(maxChars / 3) + MARGIN), redactor);
  const tail = cleanText(text.slice(-(maxChars + MARGIN)), redactor);
  const kept = headAndTail(`${head}\n${tail}`, maxChars);
  return `[${String(text.length)} characters in all]\n${kept}`;
}

/** The beginning of a text as one line, for events and spans. */
export function brief(text: string, maxChars: number): string {
  const line = text
    .slice(0, maxChars * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return wellFormed(line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`);
}

/** The end of a text as one line: the last words of a program say why it ended. */
export function briefEnd(text: string, maxChars: number): string {
  const line = text
    .slice(-maxChars * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return wellFormed(line.length <= maxChars ? line : `…${line.slice(1 - maxChars)}`);
}
