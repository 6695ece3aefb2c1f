import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { removeFiles } from './remove-files.js';
import { write } from './setup.fixture.js';

describe('files that are removed', () => {
  let folder: TempFolder;
  beforeEach(() => {
    folder = tempFolder('removed');
    write(folder.path, {
      'dist/a/one.js': '1',
      'x.log': '',
      'outside/kept': '',
      'cache/tool/store/a': '',
      'cache/b': '',
    });
  });
  afterEach(() => folder.remove());
  const at = (path: string): string => join(folder.path, path);

  it('are those at the paths, folders with all that is in them; missing ones are no error', async () => {
    await removeFiles(folder.path, ['dist/', 'x.log', 'gone/', 'x.log/inner']);
    expect(readdirSync(folder.path).sort()).toEqual(['cache', 'outside']);
  });

  it('are no files in an excepted folder, nor the folders on the way to it', async () => {
    await removeFiles(folder.path, ['cache'], ['cache/tool/store/']);
    expect(readdirSync(at('cache'))).toEqual(['tool']);
    expect(existsSync(at('cache/tool/store/a'))).toBe(true);
  });

  it('are a link itself, never the files that it leads to', async () => {
    symlinkSync(at('outside'), at('link'));
    symlinkSync(at('outside'), at('dist/link'));
    await removeFiles(folder.path, ['link', 'dist/'], ['link/']);
    expect([existsSync(at('link')), existsSync(at('dist')), existsSync(at('outside/kept'))]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('may have odd names, also names that are no text', async () => {
    for (const name of ['sp ace', '!x', '*', '#', 'new\nline', '__proto__', '😀'])
      write(folder.path, { [`odd/${name}`]: '' });
    writeFileSync(Buffer.concat([Buffer.from(`${folder.path}/odd/`), Buffer.from([0xff, 0xfe])]), '');
    mkdirSync(at('odd/empty'));
    await removeFiles(folder.path, ['odd/']);
    expect(existsSync(at('odd'))).toBe(false);
  });
});
