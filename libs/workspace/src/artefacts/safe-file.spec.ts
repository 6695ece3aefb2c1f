import { mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isWritten } from './safe-file.js';

describe('whether a file says something already', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'qralph-safe-file-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('is seen without reading one of another length, be it larger than any memory', async () => {
    const file = join(folder, 'a.json');
    expect(await isWritten({ file, text: 'grün' })).toBe(false);
    await writeFile(file, 'grün');
    expect(await isWritten({ file, text: 'grün' })).toBe(true);
    expect(await isWritten({ file, text: 'blau!' })).toBe(false);
    await truncate(file, 3 * 1_024 ** 3);
    expect(await isWritten({ file, text: 'grün' })).toBe(false);
  });

  it('is not asked of what a link leads to', async () => {
    await writeFile(join(folder, 'there'), 'x');
    await symlink('there', join(folder, 'link'));
    expect(await isWritten({ file: join(folder, 'link'), text: 'x' })).toBe(false);
  });
});
