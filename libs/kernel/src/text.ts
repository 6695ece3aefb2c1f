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

/**
 * Somebody's text between marks. The mark is longer than any run of backticks in the text, so that nothing in it can end
 * the fence and speak as if it were us.
 */
export function fenced(text: string): string {
  const runs = text.match(/`+/g)?.map((run) => run.length) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run + 1), 3));
  return `${fence}\n${text}\n${fence}`;
}

const MINUTE_MS = 60_000;

/** A duration as people say it: in seconds up to two minutes, in minutes beyond. */
export function durationInWords(ms: number): string {
  if (ms < 1_000) return `${String(ms)} ms`;
  const [count, unit] =
    ms < 2 * MINUTE_MS ? [Math.round(ms / 1_000), 'second'] : [Math.round(ms / MINUTE_MS), 'minute'];
  return `${String(count)} ${unit}${count === 1 ? '' : 's'}`;
}
