import { mkdtemp, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isWritten, openPlain } from './safe-file.js';

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

describe('a file that is opened while newer ones replace it', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'qralph-safe-file-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('is one of them, and never taken for a link', async () => {
    const file = join(folder, 'STATE.md');
    await writeFile(file, 'new');
    let isDone = false;
    const replace = async (): Promise<void> => {
      for (let nth = 0; nth < 300; nth += 1) {
        await writeFile(`${file}.part`, 'new');
        await rename(`${file}.part`, file);
      }
      isDone = true;
    };
    const read = async (): Promise<void> => {
      while (!isDone) {
        const handle = await openPlain(file);
        expect(await handle.readFile('utf8')).toBe('new');
        await handle.close();
      }
    };
    await Promise.all([replace(), read(), read(), read()]);
  });
});
