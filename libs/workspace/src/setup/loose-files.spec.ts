import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { differing } from './dependency-prints.js';
import { looseFiles, loosePaths } from './loose-files.js';
import { write } from './setup.fixture.js';

const ODD = ['sp ace', '!x', '*', '[a]', '#', 'new\nline', '__proto__', 'constructor', '😀'];

it('loose are all ignored paths but those of dependencies', () => {
  const dependencies = ['node_modules/', 'packages/a/node_modules/', '.venv/', 'vendor/'];
  const others = ['dist/', 'public/vendor/', '.env', 'my_node_modules/', 'a.log'];
  expect(loosePaths([...dependencies, ...others])).toEqual(others);
});

describe('files that no commit holds', () => {
  let folder: TempFolder;
  beforeEach(() => {
    folder = tempFolder('loose');
    write(folder.path, { 'dist/a/one.js': '1', 'dist/two.js': '2', 'x.log': '', 'outside/kept': '' });
    mkdirSync(at('logs'));
  });
  afterEach(() => folder.remove());
  const at = (path: string): string => join(folder.path, path);
  const PATHS = ['dist/', 'x.log', 'logs/'];
  const look = (paths: readonly string[] = PATHS) => looseFiles(folder.path, paths);

  it('are known one by one, folders too, and stay where they are known', async () => {
    const known = await look();
    expect(Object.keys(known).sort()).toEqual(['dist/', 'dist/a/', 'dist/a/one.js', 'dist/two.js', 'logs/', 'x.log']);
    expect(await looseFiles(folder.path, PATHS, known)).toEqual(known);
  });

  it('go where they are not known: beside known ones, below them, and in the place of one', async () => {
    const known = await look();
    write(folder.path, { 'build/theme.txt': '', 'dist/a/new.js': '', 'dist/b/c/new.js': '', 'logs/y.log': '' });
    rmSync(at('x.log'));
    write(folder.path, { 'x.log/inner': '' });
    symlinkSync('../outside', at('dist/link'));
    const now = await looseFiles(folder.path, [...PATHS, 'build/', 'x.log/', 'x.log/inner', 'gone/'], known);
    expect(Object.keys(now).sort()).toEqual(Object.keys(known).sort().slice(0, -1));
    expect(readdirSync(folder.path).sort()).toEqual(['dist', 'logs', 'outside']);
    expect([readdirSync(at('dist')).sort(), readdirSync(at('dist/a')), readdirSync(at('logs'))]).toEqual([
      ['a', 'two.js'],
      ['one.js'],
      [],
    ]);
    expect(existsSync(at('outside/kept'))).toBe(true);
  });

  it('stay also where git names a folder above them now', async () => {
    const known = await look(['dist/a/']);
    await looseFiles(folder.path, ['dist/'], known);
    expect(readdirSync(at('dist'))).toEqual(['a']);
    expect(readdirSync(at('dist/a'))).toEqual(['one.js']);
  });

  it('are told from others by what no command can set, save for bytecode', async () => {
    write(folder.path, { 'dist/__pycache__/m.pyc': '1', 'dist/n.pyc': '1' });
    const known = await look();
    write(folder.path, { 'dist/two.js': '3', 'dist/__pycache__/m.pyc': '2', 'dist/n.pyc': '2' });
    rmSync(at('dist/a'), { recursive: true });
    const now = await looseFiles(folder.path, PATHS, known);
    expect(differing(known, now)).toEqual(['dist/a/', 'dist/a/one.js', 'dist/two.js']);
  });

  it('are told of where their name is no text, and nothing else is taken for them', async () => {
    const name = Buffer.concat([Buffer.from(`${folder.path}/dist/`), Buffer.from([0xff, 0xfe])]);
    const known = await look();
    writeFileSync(name, '');
    expect(differing(known, await looseFiles(folder.path, PATHS, known))).toEqual(['dist/\u{FFFD}\u{FFFD}']);
    expect(lstatSync(name).isFile()).toBe(true);
    await looseFiles(folder.path, PATHS, {});
    expect(existsSync(name)).toBe(false);
  });

  it('stay or go by their names alone, however odd those are', async () => {
    const path = fc
      .array(fc.constantFrom(...ODD, 'a', 'b'), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('/'));
    const files = fc.uniqueArray(path.map((name) => `loose/${name}/file`), { minLength: 1, maxLength: 6 }); // prettier-ignore
    await fc.assert(
      fc.asyncProperty(files, files, async (first, later) => {
        const root = at('property');
        const laid = (names: readonly string[]): void =>
          write(root, Object.fromEntries(names.map((name) => [name, ''])));
        laid(first);
        const known = await looseFiles(root, ['loose/']);
        laid(later.filter((name) => !first.includes(name)));
        expect(await looseFiles(root, ['loose/'], known)).toEqual(known);
        expect(await looseFiles(root, ['loose/'])).toEqual(known);
        expect(Object.keys(known).filter((name) => name.endsWith('/file')).sort()).toEqual([...first].sort()); // prettier-ignore
        rmSync(root, { recursive: true });
      }),
      { numRuns: 30 },
    );
  });
});
