import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliSettings } from '#config';
import { errorCode } from '#kernel';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';

/** Where the first start of a service leaves the key of whoever owns its data folder. */
const ADMIN_KEY_FILE = 'admin.key';
const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

export async function findKey({ url, key, dataDirs }: CliSettings): Promise<string> {
  if (key !== null) return key;
  const { hostname } = new URL(url);
  // It opens everything that its own service has: whoever else answers at an address must not be handed it.
  if (!THIS_MACHINE.test(hostname)) {
    const message = `there is no API key for ${hostname}: the one in a data folder is for a service on this machine, and is sent nowhere else. Give one with --key or QRALPH_KEY`;
    throw new Failure(EXIT.unauthorised, 'KEY_MISSING', message);
  }
  const missed: string[] = [];
  for (const folder of dataDirs) {
    const path = join(folder, ADMIN_KEY_FILE);
    try {
      return (await readFile(path, 'utf8')).trim();
    } catch (error) {
      missed.push(`${path} cannot be read (${errorCode(error)})`);
    }
  }
  const message = `there is no API key: ${missed.join(', ')}. Give one with --key or QRALPH_KEY, or the data folder of the service with QRALPH_DATA_DIR`;
  throw new Failure(EXIT.unauthorised, 'KEY_MISSING', message);
}
