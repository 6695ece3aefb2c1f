import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inodeOf, openWorktree, read, write } from '../setup/setup.fixture.js';
import { DependencyStores, type StoreContent } from './dependency-stores.js';

describe('stores of dependencies', () => {
  let at: ReturnType<typeof openWorktree>;
  let folder: string;
  let stores: DependencyStores;
  beforeEach(() => {
    at = openWorktree({ 'a.txt': '' });
    folder = join(at.folder.path, 'stores');
    stores = new DependencyStores(folder);
    write(at.worktree, {
      'node_modules/one/index.js': '1',
      'node_modules/.prisma/client.js': 'p',
      'node_modules/.cache/x': 'cache',
      'dist/a.js': 'd',
    });
    write(at.home, { '.npm/_cacache/x': '', '.npm/_npx/y': '', '.m2/repository/a.jar': '', '.npmrc': 'n' });
  });
  afterEach(() => at.folder.remove());

  const content = (key: string, more: Partial<StoreContent> = {}): StoreContent => ({
    key,
    tree: null,
    isOfBase: false,
    notSetUp: [],
    folders: ['node_modules'],
    loose: ['dist'],
    from: { folder: at.worktree, home: at.home },
    readOnly: [],
    writable: [],
    copyWith: at.outside,
    ...more,
  });
  const one = join('node_modules', 'one', 'index.js');
  const inStore = (key: string, path: string): string => join(folder, key, 'tree', path);

  it('have copies of dependencies, other files and HOME, without caches of builds and downloads', async () => {
    await stores.add(content('k'));
    expect(await stores.find('k', 't')).toMatchObject({ caches: ['.npm/_npx', '.m2/repository'], loose: ['dist'] });
    const files = readdirSync(join(folder, 'k'), { recursive: true, withFileTypes: true });
    const names = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    expect(names.map((name) => name.slice(join(folder, 'k').length + 1)).sort()).toEqual([
      ...['home/.m2/repository/a.jar', 'home/.npm/_npx/y', 'home/.npmrc', 'store.json', 'tree/dist/a.js'],
      ...['tree/node_modules/.prisma/client.js', 'tree/node_modules/one/index.js'],
    ]);
    expect(inodeOf(inStore('k', one))).not.toBe(inodeOf(at.worktree, one));
  });

  it('link files only of folders that agents cannot write to', async () => {
    const readOnly = [join(at.worktree, 'node_modules')];
    await stores.add(content('k', { readOnly, writable: [join(at.worktree, 'node_modules/.prisma')] }));
    const client = 'node_modules/.prisma/client.js';
    expect(inodeOf(inStore('k', one))).toBe(inodeOf(at.worktree, one));
    expect(inodeOf(inStore('k', client))).not.toBe(inodeOf(at.worktree, client));
    expect(read(inStore('k', client))).toBe('p');
  });

  it('hold for one tree if they were made from it', async () => {
    await stores.add(content('k', { tree: 't1' }));
    expect(await stores.find('k', 't1')).not.toBeNull();
    expect(await stores.find('k', 't2')).toBeNull();
  });

  it('are removed if others were used since, except that of the base', async () => {
    await stores.add(content('base', { isOfBase: true }));
    for (const [nth, key] of ['a', 'b', 'c', 'd'].entries()) {
      await stores.add(content(key));
      utimesSync(join(folder, key), nth, nth);
    }
    await stores.find('b', 't');
    await stores.add(content('e'));
    expect(readdirSync(folder).sort()).toEqual(['b', 'base', 'd', 'e']);
    expect(await stores.ofBase()).toMatchObject({ name: 'base' });
  });

  it('are not found if they are incomplete or damaged', async () => {
    mkdirSync(join(folder, '.part-k'), { recursive: true });
    write(folder, { 'k/store.json': '{"tree":null,"isOfBase":true,"folders":"x"}', 'x/tree/a': '' });
    expect([await stores.find('k', 't'), await stores.find('x', 't'), await stores.ofBase()]).toEqual([
      null,
      null,
      null,
    ]);
    await stores.add(content('k'));
    expect(await stores.find('k', 't')).not.toBeNull();
    expect(readdirSync(folder).sort()).toEqual(['k', 'x']);
  });
});
