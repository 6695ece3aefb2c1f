import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode } from '#kernel';

/** A path without links in it, as far as it is there already: the sandbox knows folders by no other name. */
export function realFolder(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(whole) === whole) throw error;
    return join(realFolder(dirname(whole)), basename(whole));
  }
}
