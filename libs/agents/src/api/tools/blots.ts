import { BLOT, type Redactor } from '#kernel';
import { readBytes } from '../guard/read-bytes.js';
import type { OpenFolder } from '../guard/rooted.js';
import { ToolRefusal } from './refusal.js';

/** The file as it is; empty where there is none, or none that could be read. */
export async function currentText(folder: OpenFolder, name: string, maxBytes: number): Promise<string> {
  try {
    return (await readBytes(folder, name, maxBytes)).bytes.toString('utf8');
  } catch (error) {
    if (error instanceof ToolRefusal) return '';
    throw error;
  }
}

/**
 * A model sees a blot where a file has a key. Writing the file as the model knows it would put the blot in the key's
 * place: such a write is refused.
 */
export function keepsSecrets(before: string, after: string, redactor: Redactor): void {
  if (blotsIn(after) <= blotsIn(before) || redactor.redact(before) === before) return;
  throw new ToolRefusal(
    `${BLOT} stands for a key that is not shown: writing it would destroy the key. ` +
      'Change only other lines, with edit_file.',
  );
}

const blotsIn = (text: string): number => text.split(BLOT).length - 1;
