import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Of the package that this file is part of, built or not. */
export async function ownVersion(folder = dirname(fileURLToPath(import.meta.url))): Promise<string> {
  try {
    return (JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || folder === '/') throw error;
    return ownVersion(dirname(folder));
  }
}
