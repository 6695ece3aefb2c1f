import { mkdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { checkCopyPaths, copyFiles } from './copy-files.js';
import { read, write } from './setup.fixture.js';

describe('files to bring along', () => {
  let folder: TempFolder;
  let [checkout, worktree] = ['', ''];
  beforeEach(() => {
    folder = tempFolder('copy');
    [checkout, worktree] = [join(folder.path, 'checkout'), join(folder.path, 'worktree')];
    write(checkout, { '.env.test': 'A=1', 'config/local/a.json': '{}' });
    mkdirSync(worktree);
  });
  afterEach(() => folder.remove());

  const copy = (...paths: string[]): Promise<string[]> => copyFiles(checkout, worktree, paths);

  it('are copied with their folders, as often as wanted, and are files of their own', async () => {
    for (let round = 0; round < 2; round += 1) {
      expect(await copy('.env.test', './config/local/a.json')).toEqual(['.env.test', 'config/local/a.json']);
    }
    writeFileSync(join(worktree, '.env.test'), 'B=2');
    expect(read(checkout, '.env.test')).toBe('A=1');
    expect(read(worktree, 'config/local/a.json')).toBe('{}');
  });

  it.each([
    ['/etc/passwd', /not relative/],
    ['../secret', /leads out/],
    ['config/../../secret', /leads out/],
    ['config\\..\\secret', /leads out/],
    ['.git/config', /git itself/],
    ['sub/.GIT/hooks/x', /git itself/],
    ['', /no path/],
    ['a\0b', /no path/],
  ])('are refused as %j', (path, why) => {
    expect(() => checkCopyPaths([path])).toThrow(why);
  });

  it('are at most a hundred', () => {
    expect(() => checkCopyPaths(Array.from({ length: 101 }, (_, n) => String(n)))).toThrow(/at most 100/);
  });

  it('must be there, and be files', async () => {
    await expect(copy('.env')).rejects.toMatchObject({ code: 'COPY_FILE_MISSING' });
    await expect(copy('config')).rejects.toMatchObject({ code: 'COPY_NOT_A_FILE' });
  });

  it('must not be large', async () => {
    truncateSync(join(checkout, '.env.test'), 60 * 1024 * 1024);
    await expect(copy('.env.test')).rejects.toMatchObject({ code: 'COPY_TOO_LARGE' });
  });

  it('are not taken from behind a link', async () => {
    write(folder.path, { 'secret/key': 'K' });
    symlinkSync(join(folder.path, 'secret/key'), join(checkout, 'key'));
    symlinkSync(join(folder.path, 'secret'), join(checkout, 'linked'));
    await expect(copy('key')).rejects.toMatchObject({ code: 'COPY_NOT_A_FILE' });
    await expect(copy('linked/key')).rejects.toMatchObject({ code: 'COPY_PATH_INVALID' });
  });

  it('are not put behind a link that the repository has', async () => {
    write(folder.path, { 'outside/keep': '' });
    symlinkSync(join(folder.path, 'outside'), join(worktree, 'config'));
    await expect(copy('config/local/a.json')).rejects.toMatchObject({ code: 'COPY_PATH_INVALID' });
    symlinkSync(join(folder.path, 'outside/keep'), join(worktree, '.env.test'));
    await expect(copy('.env.test')).rejects.toMatchObject({ code: 'COPY_PATH_INVALID' });
    expect(statSync(join(folder.path, 'outside/keep')).size).toBe(0);
  });
});
