import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { called } from './called.fixture.js';

const KEY = `ghp_${'a1B2'.repeat(9)}`;

let folder: TempFolder;
const put = (name: string, content: string | Buffer): void => {
  mkdirSync(join(folder.path, name, '..'), { recursive: true });
  writeFileSync(join(folder.path, name), content);
};
const got = (name: string): string => readFileSync(join(folder.path, name), 'utf8');
const call = (name: string, input: Parameters<typeof called>[2], limits = {}) =>
  called(folder.path, name, input, { limits });

beforeEach(() => {
  folder = tempFolder('tools');
});
afterEach(() => folder.remove());

describe('read_file', () => {
  it('shows lines with their numbers', async () => {
    put('a.txt', 'one\ntwo\n');
    expect((await call('read_file', { path: 'a.txt' })).text).toBe('1\tone\n2\ttwo');
  });

  it('shows a part, and says of how much', async () => {
    put('a.txt', Array.from({ length: 50 }, (_, nth) => `line ${String(nth + 1)}`).join('\n'));
    const { text } = await call('read_file', { path: 'a.txt', offset: 10, limit: 2 });
    expect(text).toBe('10\tline 10\n11\tline 11\n(lines 10 to 11 of 50)');
    expect(await call('read_file', { path: 'a.txt', offset: 51 })).toMatchObject({ isError: true });
  });

  it('takes null for what is not given', async () => {
    put('a.txt', 'one');
    expect((await call('read_file', { path: 'a.txt', offset: null, limit: null })).text).toBe('1\tone');
  });

  it('cuts long lines and long files, and goes on where it was cut', async () => {
    put('long.txt', `${'x'.repeat(100_000)}\nend`);
    expect((await call('read_file', { path: 'long.txt' })).text).toMatch(/^1\tx{1000}\[… 100000 characters\]\n2\tend$/);
    put('many.txt', 'word word word\n'.repeat(100_000));
    const { text } = await call('read_file', { path: 'many.txt', limit: 5_000 });
    expect(text.length).toBeLessThanOrEqual(32 * 1_024);
    expect(text).toMatch(/\(lines 1 to \d+ of 100000\)$/);
  });

  it('refuses binary and giant files, and shows other encodings as well as it can', async () => {
    put('image.png', Buffer.from([1, 0, 2]));
    expect(await call('read_file', { path: 'image.png' })).toMatchObject({ isError: true });
    put('giant.txt', 'x'.repeat(2_000));
    expect(await call('read_file', { path: 'giant.txt' }, { readBytes: 1_000 })).toMatchObject({ isError: true });
    put('latin.txt', Buffer.from([0x66, 0xfc, 0x72]));
    expect((await call('read_file', { path: 'latin.txt' })).text).toBe('1\tf\ufffdr');
    put('empty.txt', '');
    expect((await call('read_file', { path: 'empty.txt' })).text).toBe('(the file is empty)');
  });

  it('shows no key, nor a part of one', async () => {
    put('.env', `A=1\nTOKEN=${KEY}\nB=a-configured-secret\n`);
    expect((await call('read_file', { path: '.env' })).text).toBe('1\tA=1\n2\tTOKEN=[secret]\n3\tB=[secret]');
    const key = ['-----BEGIN RSA PRIVATE KEY-----', 'MIIEabc', 'MIIEdef', '-----END RSA PRIVATE KEY-----'].join('\n');
    put('id.pem', `${key}\nafter\n`);
    const { text } = await call('read_file', { path: 'id.pem', offset: 2 });
    expect(text).not.toContain('MIIE');
  });
});

describe('list_files', () => {
  it('lists folders down to a depth, naming dependencies without entering them', async () => {
    for (const name of ['b.txt', 'src/a/deep.ts', 'src/main.ts', 'node_modules/x/index.js']) put(name, '');
    expect((await call('list_files', {})).text.split('\n')).toEqual([
      'b.txt', 'node_modules/ (not entered)', 'src/', 'src/a/', 'src/main.ts',
    ]); // prettier-ignore
    expect((await call('list_files', { path: 'node_modules', depth: 3 })).text).toContain('node_modules/x/index.js');
  });

  it('stays short in a folder with very many entries, and shows odd names on one line', async () => {
    for (let nth = 0; nth < 300; nth += 1) put(`many/${String(nth)}.txt`, '');
    const { text } = await call('list_files', { path: 'many' }, { listedEntries: 10, folderEntries: 100 });
    expect(text.split('\n')).toHaveLength(11);
    expect(text).toContain('(there are more');
    put('odd/two\nlines', '');
    expect((await call('list_files', { path: 'odd' })).text).toBe('"odd/two\\nlines"');
  });
});

describe('write_file', () => {
  it('makes a file and its folders, replaces one, and keeps its mode', async () => {
    expect(await call('write_file', { path: 'a/b/c.txt', content: 'one' })).toMatchObject({
      isError: false,
      hasChanged: true,
    });
    expect(got('a/b/c.txt')).toBe('one');
    chmodSync(join(folder.path, 'a/b/c.txt'), 0o755);
    await call('write_file', { path: 'a/b/c.txt', content: 'two' });
    expect(got('a/b/c.txt')).toBe('two');
    expect(statSync(join(folder.path, 'a/b/c.txt')).mode & 0o777).toBe(0o755);
    expect(readdirSync(join(folder.path, 'a/b'))).toEqual(['c.txt']);
  });

  it('refuses too much, and a file in the place of a folder', async () => {
    expect(await call('write_file', { path: 'a', content: 'x'.repeat(11) }, { writeBytes: 10 })).toMatchObject({
      isError: true,
    });
    put('file', 'x');
    expect(await call('write_file', { path: 'file/below', content: '' })).toMatchObject({ isError: true });
    expect(got('file')).toBe('x');
  });

  it('does not write a blot over a key that the model was not shown', async () => {
    put('.env', `TOKEN=${KEY}\n`);
    expect(await call('write_file', { path: '.env', content: 'TOKEN=[secret]\nB=2\n' })).toMatchObject({
      isError: true,
    });
    expect(await call('edit_file', { path: '.env', old: 'TOKEN', new: 'X=[secret]' })).toMatchObject({ isError: true });
    expect(await call('edit_file', { path: '.env', old: 'TOKEN', new: 'KEY' })).toMatchObject({ isError: false });
    expect(got('.env')).toBe(`KEY=${KEY}\n`);
    expect(await call('write_file', { path: 'doc.md', content: 'shown as [secret]' })).toMatchObject({
      isError: false,
    });
  });
});

describe('edit_file', () => {
  it('replaces a text that is there once, or all of them', async () => {
    put('a.txt', 'one two two\n');
    expect(await call('edit_file', { path: 'a.txt', old: 'two', new: 'three' })).toMatchObject({ isError: true });
    await call('edit_file', { path: 'a.txt', old: 'one', new: '$& 1' });
    await call('edit_file', { path: 'a.txt', old: 'two', new: 'three', all: true });
    expect(got('a.txt')).toBe('$& 1 three three\n');
    expect(await call('edit_file', { path: 'a.txt', old: 'four', new: 'five' })).toMatchObject({
      isError: true,
      hasChanged: false,
    });
    expect(await call('edit_file', { path: 'a.txt', old: '1', new: '1' })).toMatchObject({ isError: true });
  });

  it('keeps line breaks, byte order mark and everything else of a file as they are', async () => {
    put('crlf.txt', '\ufeffone\r\ntwo\r\nthree\r\n');
    await call('edit_file', { path: 'crlf.txt', old: 'one\ntwo', new: '1\n2' });
    expect(got('crlf.txt')).toBe('\ufeff1\r\n2\r\nthree\r\n');
    put('latin.txt', Buffer.from([0x66, 0xfc, 0x72]));
    expect(await call('edit_file', { path: 'latin.txt', old: 'f', new: 'g' })).toMatchObject({ isError: true });
  });
});
