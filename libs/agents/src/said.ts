import { type Redactor, wellFormed } from '#kernel';
import { cleanText } from './api/bounded-text.js';

const LONGEST = 20_000;
/** Kept beyond that until it is redacted: half a secret would not be recognised. */
const KEPT = LONGEST + 64 * 1_024;

/** The last that an agent has said at its task: what is left of one that failed. */
export class Said {
  private readonly texts: string[] = [];
  private length = 0;

  add(text: string): void {
    if (text.trim() === '') return;
    const end = text.slice(-KEPT);
    this.texts.push(end);
    this.length += end.length;
    while (this.length - (this.texts[0]?.length ?? 0) >= KEPT) this.length -= this.texts.shift()?.length ?? 0;
  }

  clean(redactor: Redactor): string {
    return joinedSaid(...this.texts.map((text) => cleanText(text, redactor)));
  }
}

/** What was said at several goes; the end of it where it is too long. */
export const joinedSaid = (...texts: readonly (string | undefined)[]): string =>
  wellFormed(texts.filter(Boolean).join('\n\n').slice(-LONGEST));
