import { ToolRefusal } from './refusal.js';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const SNIFFED_BYTES = 8_192;

/** As git has it: a file with a zero byte near its beginning. */
export const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, SNIFFED_BYTES).includes(0);

/** The text of a file that is to be shown: what is no UTF-8 in it becomes U+FFFD. */
export function shownText(bytes: Buffer, path: string): string {
  if (isBinary(bytes)) {
    throw new ToolRefusal(`${JSON.stringify(path)}: it is a binary file of ${String(bytes.length)} bytes`);
  }
  return bytes.toString('utf8');
}

/** The text of a file that is to be written again: not one character may get lost on the way. */
export function exactText(bytes: Buffer, path: string): string {
  if (isBinary(bytes)) throw new ToolRefusal(`${JSON.stringify(path)}: it is a binary file, which cannot be edited`);
  try {
    return strict.decode(bytes);
  } catch {
    throw new ToolRefusal(`${JSON.stringify(path)}: it is no UTF-8 text, so editing would damage it`);
  }
}
