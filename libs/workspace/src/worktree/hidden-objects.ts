import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '#kernel';
import type { Checkout } from './checkout.js';

/** A checkout that hides its objects, ready for git: the first index is the worktree's own, so that no file is read again. */
export async function openHidden(checkout: Checkout): Promise<Checkout> {
  const { entry, hidden } = checkout;
  await mkdir(hidden.objects, { recursive: true, mode: 0o700 });
  try {
    await copyFile(join(entry, 'index'), hidden.index, constants.COPYFILE_EXCL);
  } catch (error) {
    if (!['EEXIST', 'ENOENT'].includes(errorCode(error))) throw error;
  }
  return checkout;
}
