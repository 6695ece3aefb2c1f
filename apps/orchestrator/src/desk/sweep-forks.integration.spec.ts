import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { inTransaction, lockFork } from '#persistence';
import { type Artefacts, GitWorktrees, ProjectNotes, ScratchKeeper, WorktreeKeeper } from '#workspace';
import { type ForkNote, ProjectKeeper } from '../../../worker/src/project-keeper.js';
import { type DeskWorld, openDeskWorld, operation } from './desk.fixture.js';
import { sweepForks } from './sweep-forks.js';

const path = process.env['PATH'] ?? '';
let world: DeskWorld;
let keeper: ProjectKeeper;
let repo: string;
let commit: string;
const from = newId();
let to: string;

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-C', folder, ...args])
    .toString()
    .trim();
const refs = (): string => git(repo, 'for-each-ref', '--format=%(refname)', `refs/qralph/${to}`);
const failures: unknown[] = [];
const sweep = (): Promise<number> =>
  sweepForks({ pool: world.pool, keeper, onFailure: (_, error) => failures.push(error) });

beforeAll(async () => {
  world = await openDeskWorld(path);
  repo = join(world.folder, 'repo');
  const scratch = join(world.folder, 'scratch');
  for (const folder of [repo, join(scratch, from)]) {
    mkdirSync(folder, { recursive: true });
    git(folder, 'init', '-q', '-b', 'main');
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'first', '--date', '2026-01-01T00:00:00Z');
  }
  // Both have the commit.
  git(join(scratch, from), 'fetch', '-q', repo, 'main');
  commit = git(repo, 'rev-parse', 'HEAD');
  const worktrees = new GitWorktrees({ root: join(world.folder, 'worktrees'), path });
  await worktrees.open({ projectId: from, name: '001-origin', repo, ref: 'main' }, new AbortController().signal);
  keeper = new ProjectKeeper(
    world.pool,
    new ScratchKeeper(scratch, path),
    new WorktreeKeeper(worktrees),
    {} as Artefacts,
    new ProjectNotes<ForkNote>(join(world.folder, 'forks')),
  );
});
afterAll(() => world.close());

/** Killed before its project was there. */
beforeEach(async () => {
  to = newId();
  await keeper.fork(from, { to, repo }, commit);
});

describe('what a fork leaves whose process was killed', () => {
  it('is taken away at the next start, and nothing else is', async () => {
    expect([refs().split('\n').length, existsSync(join(world.folder, 'scratch', to))]).toEqual([2, true]);
    mkdirSync(join(world.folder, 'scratch', `${to}.half`));
    expect(await sweep()).toBe(1);
    expect([refs(), existsSync(join(world.folder, 'scratch', to))]).toEqual(['', false]);
    expect(existsSync(join(world.folder, 'scratch', `${to}.half`))).toBe(false);
    expect(git(repo, 'for-each-ref', '--format=%(refname)', `refs/qralph/${from}`)).toContain('base');
    expect(existsSync(join(world.folder, 'scratch', from))).toBe(true);
    expect([await sweep(), failures]).toEqual([0, []]);
  });

  it('stays where somebody makes the same fork at this moment', async () => {
    await inTransaction(world.pool, async (client) => {
      await lockFork(client, to);
      expect(await sweep()).toBe(0);
    });
    expect(refs()).not.toBe('');
    expect(await sweep()).toBe(1);
  });

  it('stays where the project is there, of which only nobody has taken note', async () => {
    const { name } = await world.start({}, { ...operation(), id: to });
    await world.set(to, 'repo_path = $2', repo);
    expect(await sweep()).toBe(0);
    expect(git(repo, 'rev-parse', `qralph/${name}`)).toBe(commit);
    expect([refs() === '', await keeper.forksBegun()]).toEqual([false, []]);
  });
});
