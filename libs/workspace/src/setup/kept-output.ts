import { type Redactor, wellFormed } from '#kernel';

/** Kept of an output: enough to see how it began, and more of its end, where errors and summaries are. */
const HEAD_CHARACTERS = 16 * 1024;
const TAIL_CHARACTERS = 48 * 1024;
const LONGEST_SECRET = 8 * 1024;

export interface KeptOutput {
  /** Fit to be stored: no secret of a known shape, no half characters, no NUL. */
  readonly output: string;
  /** Characters left out of the middle. */
  readonly cut: number;
}

export function keptOutput(text: string, redactor: Redactor): KeptOutput {
  const cut = text.length - HEAD_CHARACTERS - TAIL_CHARACTERS;
  if (cut <= 0) return { output: clean(text, redactor), cut: 0 };
  // More than is kept is looked at: half a secret at the cut would not be known as one.
  const head = clean(text.slice(0, HEAD_CHARACTERS + LONGEST_SECRET), redactor).slice(0, HEAD_CHARACTERS);
  const tail = clean(text.slice(-TAIL_CHARACTERS - LONGEST_SECRET), redactor).slice(-TAIL_CHARACTERS);
  return { output: wellFormed(`${head}\n[… ${String(cut)} characters left out …]\n${tail}`), cut };
}

const clean = (text: string, redactor: Redactor): string =>
  redactor.redact(wellFormed(text).replaceAll('\u0000', '\ufffd'));
