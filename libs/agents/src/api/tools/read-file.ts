import { z } from 'zod';
import { cleanText } from '../bounded-text.js';
import { namesOf } from '../guard/path-names.js';
import { readBytes } from '../guard/read-bytes.js';
import { apart, inFolder } from '../guard/rooted.js';
import { shownText } from './text-file.js';
import { defineTool } from './tool.js';

const USUAL_LINES = 1_000;
const LONGEST_LINE = 1_000;

const input = z.object({
  path: z.string().min(1).describe('Path of the file, relative to the root of the repository'),
  offset: z.number().int().min(1).optional().describe('First line to show, counted from 1'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(5_000)
    .optional()
    .describe(`Most lines to show; ${String(USUAL_LINES)} if unset`),
});

/** Shows lines with their numbers: findings have to name them. */
export const readFile = defineTool({
  name: 'read_file',
  description:
    'Shows a text file. Each line is preceded by its number and a tab, which are not part of the file. ' +
    'A long file is shown in parts: continue with offset. To find a place in a large file, search first.',
  input,
  kind: 'reads',
  about: ({ path }) => path,
  use: async ({ path, offset = 1, limit = USUAL_LINES }, { root, limits, redactor }) => {
    const { folder, name } = apart(namesOf(path));
    const { bytes } = await inFolder(root, folder, (open) => readBytes(open, name, limits.readBytes));
    if (bytes.length === 0) return { text: '(the file is empty)' };
    // The whole of it is redacted, not the part that is shown: the part may begin in the middle of a key.
    const raw = shownText(bytes, path);
    const lines = linesOf(cleanText(raw, redactor));
    if (offset > lines.length) return { text: `the file has ${String(lines.length)} lines only`, isError: true };
    const shown = numbered(lines, offset - 1, Math.min(lines.length, offset - 1 + limit), limits.resultChars - 200);
    const last = offset + shown.length - 1;
    const notes = [
      ...(last < lines.length || offset > 1
        ? [`(lines ${String(offset)} to ${String(last)} of ${String(lines.length)})`]
        : []),
      ...(lines.length === linesOf(raw).length ? [] : ['(line numbers after a redacted key are too low)']),
    ];
    return { text: [...shown, ...notes].join('\n') };
  },
});

/** A last line break ends a line and begins none. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function numbered(lines: readonly string[], from: number, to: number, maxChars: number): string[] {
  const shown: string[] = [];
  let chars = 0;
  for (let at = from; at < to; at += 1) {
    const line = lines[at] ?? '';
    const cut =
      line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}[… ${String(line.length)} characters]` : line;
    const text = `${String(at + 1)}\t${cut}`;
    chars += text.length + 1;
    if (chars > maxChars && shown.length > 0) break;
    shown.push(text);
  }
  return shown;
}
