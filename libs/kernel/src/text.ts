/** ES2024's, which the language level of the project does not know yet. */
interface Text2024 {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

const as2024 = (text: string): Text2024 => text;

/** False for a text with half a character in it (a lone surrogate): what is left where a text was cut at the wrong place. */
export const isWellFormed = (text: string): boolean => as2024(text).isWellFormed();

/** The text with each half character replaced by U+FFFD: for output of programs, which may be cut anywhere. */
export const wellFormed = (text: string): string => as2024(text).toWellFormed();
