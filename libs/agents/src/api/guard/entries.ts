import { opendir } from 'node:fs/promises';
import { isReserved } from './path-names.js';
import { asked, type OpenFolder } from './rooted.js';

export interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

/** The entries of a folder in order of their names, without git's own and ours. Of a giant folder only so many. */
export async function entriesOf(
  folder: OpenFolder,
  most: number,
): Promise<{ readonly entries: readonly Entry[]; readonly isCut: boolean }> {
  const entries: Entry[] = [];
  const listing = await asked(folder.path, () => opendir(folder.itself, { bufferSize: 256 }));
  // Leaving the loop closes it.
  for await (const entry of listing) {
    if (isReserved(entry.name)) continue;
    if (entries.length >= most) return { entries: sorted(entries), isCut: true };
    entries.push({
      name: entry.name,
      kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other',
    });
  }
  return { entries: sorted(entries), isCut: false };
}

const sorted = (entries: Entry[]): Entry[] => entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
