import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { ScratchKeeper } from './scratch-keeper.js';

let folder: TempFolder;
let keeper: ScratchKeeper;
let commit: string;

const git = (...args: string[]): string =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-C', join(folder.path, 'origin'), ...args],
    {
      encoding: 'utf8',
    },
  ).trim();

beforeEach(() => {
  folder = tempFolder('keeper');
  keeper = new ScratchKeeper(folder.path, process.env['PATH'] ?? '');
  mkdirSync(join(folder.path, 'origin'));
  git('init', '-q', '-b', 'main');
  writeFileSync(join(folder.path, 'origin', 'file'), 'first');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  commit = git('rev-parse', 'HEAD');
  writeFileSync(join(folder.path, 'origin', 'file'), 'second');
  git('commit', '-q', '-a', '-m', 'second');
});

afterEach(() => folder.remove());

const inFork = (): string => readFileSync(join(folder.path, 'fork', 'file'), 'utf8');

it('forks a repository at the commit that was asked for', async () => {
  await keeper.fork('origin', 'fork', commit);
  expect(inFork()).toBe('first');
});

it('leaves a fork that is there already to those who work in it', async () => {
  await keeper.fork('origin', 'fork', commit);
  writeFileSync(join(folder.path, 'fork', 'file'), 'work under way');
  await keeper.fork('origin', 'fork', commit);
  expect(inFork()).toBe('work under way');
});

it('makes one fork of many at once, and leaves nothing else behind', async () => {
  await Promise.all([1, 2, 3].map(() => keeper.fork('origin', 'fork', commit)));
  expect(inFork()).toBe('first');
  expect(readdirSync(folder.path).sort()).toEqual(['fork', 'origin']);
});

it('leaves nothing behind of a fork that failed', async () => {
  await expect(keeper.fork('origin', 'fork', '0'.repeat(40))).rejects.toMatchObject({ code: 'GIT_FAILED' });
  expect(readdirSync(folder.path)).toEqual(['origin']);
});
