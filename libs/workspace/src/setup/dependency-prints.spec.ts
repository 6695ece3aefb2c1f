import { chmodSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { type DependencyPrints, differing, printDependencies, renewed } from './dependency-prints.js';
import { write } from './setup.fixture.js';

const SITE = '.venv/lib/python3.12/site-packages';
const IGNORED = ['node_modules/', 'packages/a/node_modules/', '.venv/', 'vendor/', 'dist/', 'public/vendor/'];

describe('prints of dependencies', () => {
  let folder: TempFolder;
  let before: DependencyPrints;
  const print = (readOnly: string[] = [], writable: string[] = []): Promise<DependencyPrints> => {
    const whole = (path: string): string => join(folder.path, path);
    const place = { folder: folder.path, home: '', readOnly: readOnly.map(whole), writable: writable.map(whole) };
    return printDependencies(place, IGNORED);
  };
  const changed = async (): Promise<readonly string[]> => differing(before, await print());
  beforeEach(async () => {
    folder = tempFolder('prints');
    write(folder.path, {
      'node_modules/one/index.js': 'module.exports = 1;\n',
      'node_modules/one/node_modules/two/index.js': '',
      'node_modules/@scope/three/index.js': '',
      'packages/a/node_modules/four/index.js': '',
      [`${SITE}/five/__init__.py`]: '',
      'vendor/six/src/a.php': '',
      'dist/out.js': '',
      'public/vendor/out.js': '',
    });
    before = await print();
  });
  afterEach(() => folder.remove());
  const at = (path: string): string => join(folder.path, path);

  it('are the same where nothing has changed', async () => {
    expect(Object.keys(before).sort()).toEqual([
      `${SITE}/five`,
      'node_modules/@scope/three',
      'node_modules/one',
      'node_modules/one/node_modules/two',
      'packages/a/node_modules/four',
      'vendor/six',
    ]);
    expect(await changed()).toEqual([]);
  });

  it.each([
    ['a file of the same size and time', 'node_modules/one', () => {
      writeFileSync(at('node_modules/one/index.js'), 'module.exports = 2;\n');
      utimesSync(at('node_modules/one/index.js'), 1, 1);
    }],
    ['a new file', 'node_modules/@scope/three', () => write(folder.path, { 'node_modules/@scope/three/b.js': '' })],
    ['a file that is gone', `${SITE}/five`, () => rmSync(at(`${SITE}/five/__init__.py`))],
    ['a new package', 'packages/a/node_modules/one', () => write(folder.path, { 'packages/a/node_modules/one/b.js': '' })],
    ['a link in the place of a file', 'vendor/six', () => {
      rmSync(at('vendor/six/src/a.php'));
      symlinkSync('../../../dist/out.js', at('vendor/six/src/a.php'));
    }],
    ['rights', 'node_modules/one/node_modules/two', () => chmodSync(at('node_modules/one/node_modules/two/index.js'), 0o755)],
  ] as const)('tell of %s in %s', async (_, name, change) => {
    change();
    expect(await changed()).toEqual([name]);
  }); // prettier-ignore

  it('tell nothing of caches, bytecode, and folders that hold no dependencies', async () => {
    write(folder.path, {
      'node_modules/.cache/x': '',
      'node_modules/.vite/deps/x.js': '',
      'packages/a/node_modules/.vitest/x': '',
      [`${SITE}/five/__pycache__/x.pyc`]: '',
      [`${SITE}/five/x.pyc`]: '',
      'dist/more.js': '',
      'public/vendor/more.js': '',
    });
    expect(await changed()).toEqual([]);
  });

  it('tell of a folder below the name of a cache elsewhere', async () => {
    write(folder.path, { 'node_modules/one/.cache/x.js': '' });
    expect(await changed()).toEqual(['node_modules/one']);
  });

  it('leave out what nobody can write to, but not what is writable within', async () => {
    write(folder.path, { 'node_modules/.prisma/client.js': '', 'node_modules/.cache/x': '' });
    const prints = await print(['node_modules'], ['node_modules/.prisma', 'node_modules/.cache']);
    expect(Object.keys(prints).filter((name) => name.startsWith('node_modules'))).toEqual(['node_modules/.prisma']);
  });

  it('are those of a folder that is not there', async () => {
    rmSync(folder.path, { recursive: true });
    expect(await changed()).toContain('node_modules/one');
  });
});

describe('prints that are renewed', () => {
  it('are those of now, save for what had changed before', () => {
    const kept = { same: 'a', changed: 'a', gone: 'a' };
    const before = { same: 'a', changed: 'b', added: 'b' };
    const now = { same: 'c', changed: 'c', added: 'c', shown: 'c' };
    const prints = renewed(kept, before, now);
    expect(prints).toEqual({ same: 'c', changed: 'a', gone: 'a', shown: 'c' });
    expect(differing(prints, now)).toEqual(['added', 'changed', 'gone']);
  });
});
