import { z } from 'zod';
import { BLOT, sha256Hex } from '#kernel';
import { namesOf } from '../guard/path-names.js';
import { replaceFile } from '../guard/replace-file.js';
import { apart, inFolder } from '../guard/rooted.js';
import { currentText, keepsSecrets } from './blots.js';
import { ToolRefusal } from './refusal.js';
import { defineTool } from './tool.js';

const input = z.object({
  path: z
    .string()
    .min(1)
    .describe('Path of the file, relative to the root of the repository; missing folders are created'),
  content: z.string().describe('The whole new content'),
});

export const writeFile = defineTool({
  name: 'write_file',
  description: 'Creates a file, or replaces the whole content of one. To change a part of a file, use edit_file.',
  input,
  kind: 'writes',
  about: ({ path }) => path,
  use: async ({ path, content }, { root, limits, redactor }) => {
    const { folder, name } = apart(namesOf(path));
    refuseSize(content, limits.writeBytes);
    return inFolder(
      root,
      folder,
      async (open) => {
        if (content.includes(BLOT)) keepsSecrets(await currentText(open, name, limits.readBytes), content, redactor);
        const { isNew } = await replaceFile(open, name, content);
        const wrote = { path: open.pathOf(name), hash: sha256Hex(content) };
        return { text: `${isNew ? 'made' : 'replaced'} ${JSON.stringify(path)}`, wrote };
      },
      { makes: true },
    );
  },
});

export function refuseSize(content: string, maxBytes: number): void {
  const size = Buffer.byteLength(content);
  if (size > maxBytes) {
    throw new ToolRefusal(`the content has ${String(size)} bytes, at most ${String(maxBytes)} can be written`);
  }
}
