import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '#contracts';
import type { KeyRing } from '../ports.js';
import { hashOfKey, isApiKey, newApiKey } from './api-keys.js';

export const ADMIN_KEY_FILE = 'admin.key';

/**
 * Makes sure that whoever owns the data folder can get in: a human key with every scope, in `admin.key` (mode 0600).
 * Returns the file's path, or null when there are other admins and no file is wanted any more.
 */
export async function ensureAdminKey(keys: KeyRing, dataDir: string): Promise<string | null> {
  const path = join(dataDir, ADMIN_KEY_FILE);
  const written = await readKey(path);
  const known = written === null ? null : await keys.find(hashOfKey(written));
  if (known && known.revokedAt === null) return path;
  if (await keys.hasAdmin()) return null;
  // A key whose file is there and whose row is not (a new database, a crash in between) is simply entered again.
  const key = written !== null && !known ? written : await writeKey(path);
  await keys.add({
    name: 'admin',
    hash: hashOfKey(key),
    principal: 'human',
    scopes: Scope.options,
    expiresAt: null,
  });
  return path;
}

async function readKey(path: string): Promise<string | null> {
  try {
    const text = (await readFile(path, 'utf8')).trim();
    return isApiKey(text) ? text : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Written whole or not at all, and never readable by others, not even for a moment. */
async function writeKey(path: string): Promise<string> {
  const key = newApiKey();
  const draft = `${path}.new`;
  await writeFile(draft, `${key}\n`, { mode: 0o600 });
  await rename(draft, path);
  return key;
}
