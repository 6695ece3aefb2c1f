import { wellFormed } from './text.js';

/** Escape sequences of terminals: colours and the like, titles and links. Every part has a greatest length. */
const ESCAPES = new RegExp(
  String.raw`[\u001b\u009b](?:\[[0-9;?]{0,32}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,200}(?:\u0007|\u001b\\)|[@-Z\\-_])`,
  'g',
);
/** What is left of control characters, half an escape sequence among them. */
const CONTROLS = new RegExp(String.raw`[\u0000-\u0008\u000e-\u001f\u007f-\u009f]`, 'g');

/** The lines at the end of an output, without colours; a first line that was cut is left out where another follows. */
export function plainLines(output: string, mostCharacters: number): string[] {
  const isCut = output.length > mostCharacters;
  const end = isCut ? output.slice(-mostCharacters) : output;
  const lines = wellFormed(end)
    .replace(ESCAPES, '')
    .replace(CONTROLS, '')
    .split(/\r\n|[\n\r\u2028\u2029]/);
  return isCut && lines.length > 1 ? lines.slice(1) : lines;
}
