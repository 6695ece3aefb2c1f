import { usage } from '../failure.js';

type Pair = readonly [name: string, value: string];

/** `name=value`, the value as it is: further signs belong to it. */
function pairOf(option: string, text: string): Pair {
  const at = text.indexOf('=');
  if (at < 1) throw usage(`--${option} ${text} must be name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

export const pairsOf = (option: string, texts: readonly string[]): Record<string, string> =>
  Object.fromEntries(texts.map((text) => pairOf(option, text)));

export function wholeNumber(option: string, text: string, least = 0): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (number < least) throw usage(`${option} must be a whole number of ${String(least)} or more, not ${text}`);
  return number;
}

/** `plan`, `plan=on` and `plan=off`. */
export function switchOf(option: string, text: string): readonly [string, boolean] {
  const [name, value] = text.includes('=') ? pairOf(option, text) : [text, 'on'];
  if (value !== 'on' && value !== 'off') throw usage(`--${option} ${text} must be name=on or name=off`);
  return [name, value === 'on'];
}

/** A number or a truth where it reads as one, else a text. */
export function scalarOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

export function jsonOf(option: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usage(`--${option} must be JSON, as in '{"Q1": "yes"}'`);
  }
}
