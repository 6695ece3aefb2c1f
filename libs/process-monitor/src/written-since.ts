import { lstatSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

/** More entries than this nobody waits for. */
const MOST_ENTRIES = 200_000;
/** So many entries are looked at before others get their turn on the event loop. */
const SLICE = 64;
const BLOCK_BYTES = 512;

/**
 * Bytes on the disk of all files below a folder that were made or changed since then, on its own file system; null where
 * that cannot be told. Stops as soon as there are more than `enough`.
 */
export async function writtenSince(folder: string, sinceMs: number, enough: number): Promise<number | null> {
  const counted = new Set<number>();
  const folders = [folder];
  let [bytes, looked] = [0, 0];
  try {
    const { dev } = lstatSync(folder);
    for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
      for await (const { name } of entriesOf(at)) {
        looked += 1;
        if (looked > MOST_ENTRIES) return null;
        if (looked % SLICE === 0) await turn();
        const found = lstatSync(join(at, name), { throwIfNoEntry: false });
        if (found?.dev !== dev) continue;
        if (found.isDirectory()) folders.push(join(at, name));
        // A file with several names is there once.
        if (found.ctimeMs < sinceMs || counted.has(found.ino)) continue;
        if (found.nlink > 1) counted.add(found.ino);
        bytes += found.blocks * BLOCK_BYTES;
        if (bytes > enough) return bytes;
      }
    }
    return bytes;
  } catch {
    // A folder that nobody may look into: what is in it, nobody knows.
    return null;
  }
}

/** What is gone meanwhile has none. */
async function* entriesOf(folder: string): AsyncIterable<{ readonly name: string }> {
  try {
    yield* await opendir(folder);
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
