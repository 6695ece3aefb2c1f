import { wellFormed } from '#kernel';

const LONGEST = 6_000;

/** A page as `why` of a gate; where it is longer, with word of that and of where the whole is. */
export function shownAtGate([name, text]: readonly [name: string, text: string]): string {
  if (text.length <= LONGEST) return text;
  const mark = `\n\n[Cut here, after ${String(LONGEST)} of ${String(text.length)} characters: the whole is in ${name}.]`;
  return `${wellFormed(text.slice(0, LONGEST))}${mark}`;
}
