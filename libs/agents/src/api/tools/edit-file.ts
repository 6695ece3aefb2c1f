import { z } from 'zod';
import { sha256Hex } from '#kernel';
import { namesOf } from '../guard/path-names.js';
import { readBytes } from '../guard/read-bytes.js';
import { replaceFile } from '../guard/replace-file.js';
import { apart, inFolder } from '../guard/rooted.js';
import { keepsSecrets } from './blots.js';
import { ToolRefusal } from './refusal.js';
import { exactText } from './text-file.js';
import { defineTool } from './tool.js';
import { refuseSize } from './write-file.js';

const input = z.object({
  path: z.string().min(1).describe('Path of the file, relative to the root of the repository'),
  old: z
    .string()
    .min(1)
    .describe('The text to replace, copied exactly from the file: with its indentation, without line numbers'),
  new: z.string().describe('The text that takes its place'),
  all: z.boolean().optional().describe('Replace every occurrence; otherwise there must be exactly one'),
});

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces a text in a file; the rest of the file stays as it is. The old text must occur exactly once, unless all is ' +
    'true: include enough lines around it. Read the file before you edit it.',
  input,
  kind: 'writes',
  about: ({ path }) => path,
  use: async ({ path, old, new: fresh, all = false }, { root, limits, redactor }) => {
    const { folder, name } = apart(namesOf(path));
    return inFolder(root, folder, async (open) => {
      const before = exactText((await readBytes(open, name, limits.readBytes)).bytes, path);
      const { after, count } = replaced(before, old, fresh, all);
      refuseSize(after, limits.writeBytes);
      keepsSecrets(before, after, redactor);
      await replaceFile(open, name, after);
      const wrote = { path: open.pathOf(name), hash: sha256Hex(after) };
      return { text: `replaced ${count === 1 ? 'one place' : `${String(count)} places`}`, wrote };
    });
  },
});

function replaced(before: string, old: string, fresh: string, all: boolean): { after: string; count: number } {
  if (old === fresh) throw new ToolRefusal('old and new are the same: nothing would change');
  const parts = before.split(old);
  // Models write bare line feeds, whatever the file has.
  const isOtherBreak = parts.length === 1 && before.includes('\r\n') && old.includes('\n') && !old.includes('\r');
  if (isOtherBreak) return replaced(before, asCrLf(old), asCrLf(fresh), all);
  const count = parts.length - 1;
  if (count === 0) throw new ToolRefusal('the text in old is not in the file: read the file again and copy it exactly');
  if (count > 1 && !all) {
    throw new ToolRefusal(`the text in old is there ${String(count)} times: give more of its surroundings, or set all`);
  }
  return { after: parts.join(fresh), count };
}

const asCrLf = (text: string): string => text.replace(/\r?\n/g, '\r\n');
