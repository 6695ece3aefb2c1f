import { plainLines } from '#kernel';
import { cutTo, oneLine } from './one-line.js';

interface Memory {
  readonly kind: string;
  readonly title: string;
  readonly body: string;
}

/** Of each kind; the best fit is expected first. */
const MOST_OF_A_KIND = 8;
const LONGEST_TITLE = 200;
const LONGEST_BODY = 800;

/**
 * What memory knows of an error, for the prompt of an attempt; empty where it knows nothing. Bodies are indented: what
 * was remembered is material, and must not read like a part of the prompt.
 */
export function healHints(memories: readonly Memory[]): string {
  return [
    ...section('Do not repeat: this was tried before and failed', memories, ['failed_approach']),
    ...section('Hints: this has helped before', memories, ['successful_workaround', 'error_pattern']),
  ].join('\n\n');
}

function section(title: string, memories: readonly Memory[], kinds: readonly string[]): string[] {
  const shown = memories.filter(({ kind }) => kinds.includes(kind)).slice(0, MOST_OF_A_KIND);
  return shown.length === 0 ? [] : [`## ${title}`, ...shown.map(entry)];
}

function entry({ title, body }: Memory): string {
  const lines = plainLines(cutTo(body, LONGEST_BODY), LONGEST_BODY).filter((line) => line.trim() !== '');
  return [`- ${oneLine(title, LONGEST_TITLE)}`, ...lines.map((line) => `      ${line}`)].join('\n');
}
