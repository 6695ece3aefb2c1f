import { z } from 'zod';
import { cleanText } from '../bounded-text.js';
import { entriesOf } from '../guard/entries.js';
import { namesOf } from '../guard/path-names.js';
import { inFolder, type OpenFolder } from '../guard/rooted.js';
import { isSkipped, shownName } from './skipped.js';
import { ToolRefusal } from './refusal.js';
import { defineTool, type ToolScene } from './tool.js';

const USUAL_DEPTH = 2;

const input = z.object({
  path: z.string().optional().describe('Folder relative to the root of the repository; the root itself if unset'),
  depth: z
    .number()
    .int()
    .min(1)
    .max(10)
    .optional()
    .describe(`How deep to look; ${String(USUAL_DEPTH)} if unset`),
});

interface Listing {
  readonly lines: string[];
  chars: number;
  isFull: boolean;
}

/** Lists a folder, folders with a slash at the end, not entering folders of dependencies. */
export const listFiles = defineTool({
  name: 'list_files',
  description:
    'Lists files and folders; folders have a slash at the end. Folders of dependencies such as node_modules are named, ' +
    'but their content is listed only if the path leads into them.',
  input,
  kind: 'reads',
  about: ({ path = '.' }) => path,
  use: async ({ path = '', depth = USUAL_DEPTH }, scene) => {
    const listing: Listing = { lines: [], chars: 0, isFull: false };
    await inFolder(scene.root, namesOf(path), (folder) => listInto(listing, folder, depth, scene));
    if (listing.isFull) listing.lines.push('(there are more: list a folder of it, or search)');
    return { text: cleanText(listing.lines.join('\n'), scene.redactor) || '(the folder is empty)' };
  },
});

async function listInto(listing: Listing, folder: OpenFolder, depth: number, scene: ToolScene): Promise<void> {
  scene.signal.throwIfAborted();
  const { limits } = scene;
  const { entries, isCut } = await entriesOf(folder, limits.folderEntries);
  for (const { name, kind } of entries) {
    const path = shownName(folder.pathOf(name));
    const mark =
      kind === 'folder' ? (isSkipped(name) ? '/ (not entered)' : '/') : kind === 'other' ? ' (no regular file)' : '';
    if (listing.lines.length >= limits.listedEntries || listing.chars + path.length > limits.resultChars - 200) {
      listing.isFull = true;
      return;
    }
    listing.lines.push(path + mark);
    listing.chars += path.length + mark.length + 1;
    if (kind === 'folder' && depth > 1 && !isSkipped(name)) await listBelow(listing, folder, name, depth, scene);
    if (listing.isFull) return;
  }
  listing.isFull ||= isCut;
}

/** A folder that has gone, or may not be entered, is left out; the others are listed. */
async function listBelow(
  listing: Listing,
  folder: OpenFolder,
  name: string,
  depth: number,
  scene: ToolScene,
): Promise<void> {
  let below: OpenFolder;
  try {
    below = await folder.enter(name);
  } catch (error) {
    if (error instanceof ToolRefusal) return;
    throw error;
  }
  try {
    await listInto(listing, below, depth - 1, scene);
  } finally {
    await below.close();
  }
}
