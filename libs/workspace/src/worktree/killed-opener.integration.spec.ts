import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { errorCode, newId } from '#kernel';
import { spawnSource } from '#testing';
import { checkpoint, effectRun, newWorld, read, SIGNAL, type World, writeFiles } from './worktree.fixture.js';

let world: World;
beforeEach(() => {
  world = newWorld(process.env['PATH']);
});
afterEach(() => world.remove());

/** Moments spread over what the process does, from its first git on. */
const MOMENTS_MS = [0, 7, 19, 31, 47, 68, 90, 131];

const openElsewhere = (wish: { projectId: string; name: string; repo: string }) =>
  spawnSource(new URL('./opener.process.fixture.ts', import.meta.url), [
    world.root,
    world.path,
    wish.projectId,
    wish.name,
    wish.repo,
  ]);

it('a process whose worktree another has opened since changes nothing in it, until it opens it again itself', async () => {
  const wish = { projectId: newId(), name: '001-first-work', repo: world.repo, ref: 'main' };
  const worktrees = world.again();
  const worktree = await worktrees.open(wish, SIGNAL);
  await worktrees.mustHold(worktree);
  const child = openElsewhere(wish);
  const ended = once(child, 'exit');
  await once(child.stdout as Readable, 'data');
  await expect.poll(() => worktrees.mustHold(worktree).catch(errorCode)).toBe('WORKTREE_TAKEN');
  const taken = { code: 'WORKTREE_TAKEN' };
  await expect(worktrees.reset(worktree, worktree.baseCommit)).rejects.toMatchObject(taken);
  await expect(worktrees.snapshot(worktree)).rejects.toMatchObject(taken);
  const late = worktrees.commit(worktree, 'Late', checkpoint, effectRun(wish.projectId, 'late'));
  await expect(late).rejects.toMatchObject(taken);
  child.kill('SIGKILL');
  await ended;
  await worktrees.reset(await worktrees.open(wish, SIGNAL), worktree.baseCommit);
  expect(read(worktree.folder, 'a.txt')).toBe('one\n');
});

it('whenever the process that works on it is killed, a worktree can be opened, worked in, reset and removed', async () => {
  const wish = { projectId: newId(), name: '001-first-work', repo: world.repo, ref: 'main' };
  const before = world.userState();
  for (const [nth, moment] of MOMENTS_MS.entries()) {
    const child = openElsewhere(wish);
    const ended = once(child, 'exit');
    await Promise.race([once(child.stdout as Readable, 'data'), ended]);
    // Not to wait for something: which moment it is does not matter, only that they differ.
    await delay(moment);
    child.kill('SIGKILL');
    await ended;

    const worktrees = world.again();
    const worktree = await worktrees.open(wish, SIGNAL);
    writeFiles(worktree.folder, { 'a.txt': `after ${String(nth)}\n` });
    const commit = await worktrees.commit(worktree, 'Work', checkpoint, effectRun(wish.projectId, String(nth)));
    expect(world.git('show', `${commit}:a.txt`)).toBe(`after ${String(nth)}`);
    await worktrees.reset(worktree, worktree.baseCommit);
    expect(read(worktree.folder, 'a.txt')).toBe('one\n');
    if (nth % 2 === 0) await worktrees.remove(worktree);
    expect(existsSync(worktree.folder)).toBe(nth % 2 !== 0);
  }
  expect(world.userState()).toEqual(before);
  expect(world.git('fsck', '--strict', '--no-dangling')).toBe('');
});
