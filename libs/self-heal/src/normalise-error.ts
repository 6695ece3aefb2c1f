import { plainLines, sha256Hex } from '#kernel';
import { withoutPlaces } from './placeholders.js';

/** Read of an output: its end, where errors are. */
const MOST_READ = 64 * 1024;
const MOST_KEPT = 16 * 1024;
const LONGEST_LINE = 600;
/** Longer words are data: an image, a minified script. */
const LONGEST_WORD = 300;

/**
 * An error without what differs from run to run: where the checkout lies, lines and columns, addresses, times, ids,
 * names of temporary files, process ids, ports, colours. What is left is the same for the same error, and normalising it
 * again changes nothing. Paths below `folder`, the place the command ran in, become relative to it.
 *
 * Rules work within a line, and a line is only ever cut between words: what was cut cannot become something to replace.
 */
export function normaliseError(output: string, folder?: string): string {
  const lines = plainLines(output, MOST_READ).flatMap((line) => {
    const plain = normalLine(folder === undefined ? line : withoutFolder(line, folder));
    return plain === '' ? [] : [plain];
  });
  return lastLines(lines, MOST_KEPT);
}

/** The SHA-256 by which an error is known again. */
export const signatureOf = (normalised: string): string => sha256Hex(normalised);

/** As many whole lines of the end as fit. */
export function lastLines(lines: readonly string[], mostCharacters: number): string {
  let size = -1;
  let first = lines.length;
  while (first > 0 && size + 1 + (lines[first - 1] ?? '').length <= mostCharacters) {
    first -= 1;
    size += 1 + (lines[first] ?? '').length;
  }
  return lines.slice(first).join('\n');
}

function normalLine(line: string): string {
  const words = line.split(/\s+/).filter((word) => word !== '');
  return cutBetweenWords(shortWords(withoutPlaces(shortWords(words).join(' ')).split(' ')));
}

const shortWords = (words: readonly string[]): string[] =>
  words.map((word) => (word.length > LONGEST_WORD ? '<long>' : word));

function cutBetweenWords(words: readonly string[]): string {
  let line = '';
  for (const word of words) {
    if (line.length + 1 + word.length > LONGEST_LINE) break;
    line = line === '' ? word : `${line} ${word}`;
  }
  return line;
}

function withoutFolder(line: string, folder: string): string {
  const root = folder.replace(/[\\/]$/, '');
  return root.length < 2 ? line : line.replaceAll(`${root}/`, '').replaceAll(`${root}\\`, '');
}
