import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { detectSetup } from '../detect-setup.js';
import { install, installedRecord, LOCK, MANIFEST } from '../installed-npm.fixture.js';
import { inodeOf, openWorktree, read, write } from '../setup.fixture.js';
import { bringIn, type BringInOutcome, type BroughtIn } from './bring-in.js';
import { makeOwn } from './make-own.js';

describe("dependencies of the user's checkout", () => {
  let at: ReturnType<typeof openWorktree>;
  beforeEach(() => {
    at = openWorktree({ 'package.json': JSON.stringify(MANIFEST), 'package-lock.json': LOCK });
    install(at.repo);
  });
  afterEach(() => at.folder.remove());

  const attempt = async (mayHardLink: boolean): Promise<BringInOutcome> => {
    const [setup] = await detectSetup(at.worktree);
    if (!setup || setup.folder === null) throw new Error('nothing was detected');
    const { repo: checkout, worktree, outside } = at;
    return bringIn({ setup: { ...setup, folder: setup.folder }, checkout, worktree, mayHardLink, outside });
  };
  const succeed = async (mayHardLink: boolean): Promise<BroughtIn> => {
    const outcome = await attempt(mayHardLink);
    if (!('broughtIn' in outcome)) throw new Error(outcome.reason);
    return outcome.broughtIn;
  };
  const isOwn = (path: string): boolean => inodeOf(at.worktree, path) !== inodeOf(at.repo, path);

  it('are brought in as files of its own where nothing keeps commands from writing to them', async () => {
    const { method, readOnly, files } = await succeed(false);
    expect(method).not.toBe('hard-link');
    expect({ readOnly, files }).toEqual({ readOnly: [], files: 4 });
    expect(isOwn('node_modules/one/index.js')).toBe(true);
    writeFileSync(join(at.worktree, 'node_modules/one/index.js'), 'changed');
    expect(read(at.repo, 'node_modules/one/index.js')).toBe('module.exports = 1;\n');
  });

  it('are read-only, caches aside, where they are hard links', async () => {
    const { method, readOnly, writable } = await succeed(true);
    // A filesystem with reflinks has no need of hard links.
    if (method === 'reflink') return;
    expect(method).toBe('hard-link');
    expect(isOwn('node_modules/one/index.js')).toBe(false);
    expect(readOnly).toEqual([join(at.worktree, 'node_modules')]);
    expect(writable).toContain(join(at.worktree, 'node_modules/.cache'));
    expect(await readdir(join(at.worktree, 'node_modules/.cache'))).toEqual([]);
  });

  it("never share a cache or generated code with the user's checkout", async () => {
    write(at.repo, { 'node_modules/.prisma/client/index.js': 'generated' });
    const { readOnly, writable } = await succeed(true);
    expect(isOwn('node_modules/.prisma/client/index.js')).toBe(true);
    expect(read(at.worktree, 'node_modules/.prisma/client/index.js')).toBe('generated');
    if (readOnly.length > 0) expect(writable).toContain(join(at.worktree, 'node_modules/.prisma'));
    expect(existsSync(join(at.worktree, 'node_modules/.cache/babel.json'))).toBe(false);
    expect(read(at.repo, 'node_modules/.cache/babel.json')).toContain('the user');
  });

  it('can be turned into files of its own afterwards', async () => {
    const before = await succeed(true);
    const after = await makeOwn(before);
    expect(after).toMatchObject({ readOnly: [], writable: [] });
    expect(isOwn('node_modules/one/index.js')).toBe(true);
    expect(read(at.worktree, 'node_modules/one/index.js')).toBe(read(at.repo, 'node_modules/one/index.js'));
  });

  it('keep their links; a link out of the checkout is left out and reported, and nothing is followed', async () => {
    const bin = join(at.repo, 'node_modules/.bin');
    mkdirSync(bin);
    symlinkSync('../one/index.js', join(bin, 'one'));
    symlinkSync(join(at.repo, 'node_modules/one'), join(bin, 'whole-path'));
    symlinkSync('/etc', join(bin, 'machine'));
    symlinkSync('../../../elsewhere', join(bin, 'upwards'));
    const { outsideLinks } = await succeed(true);
    const target = (name: string): string => readlinkSync(join(at.worktree, 'node_modules/.bin', name));
    expect(target('one')).toBe('../one/index.js');
    expect(target('whole-path')).toBe('../one');
    expect([...outsideLinks].sort()).toEqual([
      'node_modules/.bin/machine -> /etc',
      'node_modules/.bin/upwards -> ../../../elsewhere',
    ]);
    expect(await readdir(join(at.worktree, 'node_modules/.bin'))).toEqual(['one', 'whole-path']);
  });

  it('come without pipes and the like', async () => {
    execFileSync('mkfifo', [join(at.repo, 'node_modules/one/pipe')]);
    await succeed(false);
    expect(existsSync(join(at.worktree, 'node_modules/one/pipe'))).toBe(false);
  });

  it('come with those of the packages of a monorepo', async () => {
    const manifest = { ...MANIFEST, workspaces: ['packages/*'] };
    for (const root of [at.repo, at.worktree]) {
      write(root, { 'package.json': JSON.stringify(manifest), 'packages/a/package.json': '{"name":"a"}' });
    }
    write(at.repo, { 'packages/a/node_modules/own/index.js': '3' });
    symlinkSync('../packages/a', join(at.repo, 'node_modules/a'));
    const { folders, readOnly } = await succeed(true);
    expect(folders).toEqual(['node_modules', 'packages/a/node_modules']);
    // Whoever renames packages/a would make its folder writable again.
    expect(readOnly).not.toContain(join(at.worktree, 'packages/a/node_modules'));
    expect(isOwn('packages/a/node_modules/own/index.js')).toBe(true);
    expect(read(at.worktree, 'node_modules/a/node_modules/own/index.js')).toBe('3');
  });

  it('replace what an earlier attempt left', async () => {
    write(at.worktree, { 'node_modules/half/done.js': '', '.qralph-part-node_modules/x': '' });
    await succeed(true);
    expect(existsSync(join(at.worktree, 'node_modules/half'))).toBe(false);
    expect((await readdir(at.worktree)).filter((name) => name.includes('part'))).toEqual([]);
    await succeed(true);
    expect(read(at.worktree, 'node_modules/one/index.js')).toBe('module.exports = 1;\n');
  });

  it.each<readonly [string, () => void, RegExp]>([
    ['the lock files differ', () => write(at.repo, { 'package-lock.json': `${LOCK}\n` }), /not the same/],
    ['npm left no record', () => rmSync(join(at.repo, 'node_modules/.package-lock.json')), /no record/],
    [
      'another version is installed',
      () => record({ 'node_modules/one': { version: '1.0.1' } }),
      /another node_modules\/one/,
    ],
    ['more is installed', () => record({ 'node_modules/more': { version: '1.0.0' } }), /holds node_modules\/more/],
    ['a package was deleted', () => rmSync(join(at.repo, 'node_modules/one'), { recursive: true }), /lacks .*one/],
    ['there is no folder', () => rmSync(join(at.repo, 'node_modules'), { recursive: true }), /no folder/],
  ])('stay where they are when %s', async (_, change, reason) => {
    change();
    const outcome = await attempt(true);
    expect(outcome).toEqual({ reason: expect.stringMatching(reason) as string });
    expect(await readdir(at.worktree)).toEqual(['.git', '.gitignore', 'package-lock.json', 'package.json']);
  });

  it('are not written through a link that the repository has in their place', async () => {
    const elsewhere = join(at.folder.path, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(at.worktree, 'node_modules'));
    await succeed(true);
    expect(await readdir(elsewhere)).toEqual([]);
    expect(lstatSync(join(at.worktree, 'node_modules')).isDirectory()).toBe(true);
  });

  it('are not brought in by a run that was interrupted', async () => {
    at.abort.abort(new Error('stop'));
    await expect(attempt(true)).rejects.toThrow('stop');
    expect(existsSync(join(at.worktree, 'node_modules'))).toBe(false);
  });

  const record = (more: Readonly<Record<string, unknown>>): void =>
    write(at.repo, { 'node_modules/.package-lock.json': installedRecord(more) });
});
