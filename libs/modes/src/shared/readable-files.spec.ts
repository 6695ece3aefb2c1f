import { expect, it } from 'vitest';
import type { EffectRun } from '#engine';
import { errorCode, UserError, WorldError } from '#kernel';
import { whereItCan } from './readable-files.js';

/** What it tells while writing ends like this. */
async function toldOf(error: Error | null): Promise<unknown[]> {
  const told: unknown[] = [];
  const run = { tell: (type: string, data: object) => told.push({ type, ...data }) } as unknown as EffectRun;
  const write = (): Promise<void> => (error ? Promise.reject(error) : Promise.resolve());
  expect(await whereItCan(run, write)).toBeNull();
  return told;
}

it('says nothing where it can write', async () => {
  expect(await toldOf(null)).toEqual([]);
});

it.each([
  new UserError('ARTEFACT_TOO_LARGE', 'UAT.md is too large'),
  new UserError('ARTEFACT_PATH_UNSAFE', '.qralph is a link'),
  new UserError('REPO_NOT_FOUND', 'there is no such repository'),
  Object.assign(new Error('read-only file system'), { code: 'EROFS' }),
])('goes on where it never will, and the history says so: $code', async (error) => {
  const unwritten = { type: 'artefacts.unwritten', code: errorCode(error), message: error.message };
  expect(await toldOf(error)).toEqual([unwritten]);
});

it.each([new WorldError('DISK_FULL', 'no space left on the disk'), new Error('no code at all')])(
  'fails where writing may succeed later, or nobody knows: $message',
  async (error) => {
    await expect(toldOf(error)).rejects.toBe(error);
  },
);
