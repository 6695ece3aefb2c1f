import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { refsOf } from './names.js';
import { WorktreeKeeper } from './worktree-keeper.js';
import { effectRun, newWorld, read, type World, writeFiles } from './worktree.fixture.js';
import type { Worktree } from './worktree.port.js';

let world: World;
let keeper: WorktreeKeeper;
let worktree: Worktree;
let commits: string[];
let snapshot: string;

const sumOf = (seq: number): string => `sha256:${String(seq).repeat(64)}`;

beforeEach(async () => {
  world = newWorld(process.env['PATH']);
  keeper = new WorktreeKeeper(world.again());
  worktree = await world.open();
  commits = [];
  for (const seq of [1, 2, 3]) {
    writeFiles(worktree.folder, { 'a.txt': `work ${String(seq)}\n` });
    const run = effectRun(worktree.projectId, `commit-${String(seq)}`);
    commits.push(await world.worktrees.commit(worktree, 'Work', { seq, checksum: sumOf(seq) }, run));
  }
  writeFiles(worktree.folder, { 'a.txt': 'not committed\n', 'new.txt': 'new\n' });
  snapshot = await world.worktrees.snapshot(worktree);
});
afterEach(() => world.remove());

const first = (): string => commits[0] ?? '';

/** The project is in its first incarnation until a restore has begun its second. */
const NOW = 1;
const NEXT = 2;
const project = () => ({ projectId: worktree.projectId, name: '001-first-work', repo: world.repo });
const reset = (commit: string | null, incarnation = NEXT) => keeper.reset(project(), commit, incarnation);
const settle = (incarnation: number) => keeper.settle(worktree.projectId, world.repo, incarnation);
/** Whoever comes after a process that is gone. */
const another = (): void => void (keeper = new WorktreeKeeper(world.again()));
const shown = (commit: string | null | undefined, file: string): string => world.git('show', `${commit ?? ''}:${file}`);

describe('a worktree that is put back', () => {
  it('has the files and the branch of the checkpoint, and its next commits follow from there', async () => {
    await reset(first());
    expect([read(worktree.folder, 'a.txt'), existsSync(join(worktree.folder, 'new.txt'))]).toEqual(['work 1\n', false]);
    expect(world.git('rev-parse', worktree.branch)).toBe(first());
    await reset(snapshot, NEXT + 1);
    expect([read(worktree.folder, 'a.txt'), world.git('rev-parse', worktree.branch)]).toEqual([
      'not committed\n',
      commits[2],
    ]);
  });

  it('begins there where it is not on this machine, and only the first time', async () => {
    await world.worktrees.remove(worktree);
    await reset(first());
    const again = await world.open({ projectId: worktree.projectId });
    expect([read(again.folder, 'a.txt'), await world.worktrees.head(again)]).toEqual(['work 1\n', first()]);
    expect(again.baseCommit).toBe(worktree.baseCommit);
    writeFiles(again.folder, { 'a.txt': 'gone on\n' });
    const commit = await world.worktrees.commit(
      again,
      'Work',
      { seq: 9, checksum: sumOf(9) },
      effectRun(again.projectId),
    );
    await world.worktrees.remove(again);
    await world.open({ projectId: worktree.projectId });
    expect(world.git('rev-parse', worktree.branch)).toBe(commit);
  });

  it('is so too where git has forgotten it, and what was in it is kept', async () => {
    writeFiles(worktree.folder, { 'by-hand.txt': 'an hour of work\n' });
    rmSync(join(world.repo, '.git', 'worktrees', worktree.projectId), { recursive: true });
    const { kept } = await reset(first());
    expect(shown(kept, 'by-hand.txt')).toBe('an hour of work');
    await settle(NEXT);
    const again = await world.open({ projectId: worktree.projectId });
    expect([read(again.folder, 'a.txt'), existsSync(join(again.folder, 'by-hand.txt'))]).toEqual(['work 1\n', false]);
    expect(world.git('rev-parse', worktree.branch)).toBe(first());
  });

  it('is refused where the commit is gone, and left alone where there is no such project', async () => {
    const nobody = { ...project(), projectId: newId() };
    await expect(keeper.reset(nobody, first(), NEXT)).resolves.toEqual({ kept: null, since: [] });
    await world.worktrees.remove(worktree);
    await expect(reset('0'.repeat(40))).rejects.toMatchObject({ code: 'COMMIT_NOT_FOUND' });
  });
});

describe('what is in a worktree that is put back', () => {
  beforeEach(() => writeFiles(worktree.folder, { 'by-hand.txt': 'an hour of work\n' }));

  it('is kept as a commit, which is named, whichever process had opened it', async () => {
    writeFileSync(join(world.root, '.holders', worktree.projectId), `${worktree.projectId} of-a-process-that-is-gone`);
    const { kept } = await reset(first());
    expect(existsSync(join(worktree.folder, 'by-hand.txt'))).toBe(false);
    expect(shown(kept, 'by-hand.txt')).toBe('an hour of work');
    expect(await settle(NEXT)).toBeNull();
    expect(await reset(commits[1] ?? '', NEXT + 1)).toEqual({ kept: null, since: [] });
  });

  it('is as it was made where it goes back to before it was there', async () => {
    await reset(null);
    expect([read(worktree.folder, 'a.txt'), world.git('rev-parse', worktree.branch)]).toEqual(['one\n', worktree.baseCommit]); // prettier-ignore
    await settle(NEXT);
    expect(read(worktree.folder, 'a.txt')).toBe('one\n');
  });

  it('comes back where whoever restored it died before the state followed', async () => {
    await reset(first());
    another();
    expect(await settle(NOW)).toEqual([]);
    expect([read(worktree.folder, 'by-hand.txt'), read(worktree.folder, 'a.txt')]).toEqual(['an hour of work\n', 'not committed\n']); // prettier-ignore
    expect(world.git('rev-parse', worktree.branch)).toBe(commits[2]);
    writeFiles(worktree.folder, { 'a.txt': 'gone on\n' });
    expect(await settle(NOW)).toEqual([]);
    await keeper.told(worktree.projectId);
    expect([await settle(NOW), read(worktree.folder, 'a.txt')]).toEqual([null, 'gone on\n']);
  });

  it('comes back also where the state stands at the very commit that was gone back to', async () => {
    await reset(commits[2] ?? '');
    another();
    expect(await settle(NOW)).toEqual([]);
    expect(read(worktree.folder, 'by-hand.txt')).toBe('an hour of work\n');
  });

  it('is not lost either where the same restore is asked for again', async () => {
    const { kept } = await reset(first());
    another();
    const again = await reset(first());
    expect(world.git('rev-parse', `${again.kept ?? ''}^{tree}`)).toBe(world.git('rev-parse', `${kept ?? ''}^{tree}`));
    expect(again.since).toEqual([]);
  });

  it('is named by the next restore where the worktree is gone by then', async () => {
    const { kept } = await reset(first());
    await world.worktrees.remove(worktree);
    another();
    expect(await reset(commits[1] ?? '')).toMatchObject({ kept, since: [] });
  });
});

describe('what is changed after a restore that was cut off', () => {
  beforeEach(async () => {
    writeFiles(worktree.folder, { 'by-hand.txt': 'an hour of work\n' });
    await reset(first());
    writeFiles(worktree.folder, { 'since.txt': 'a second hour\n' });
    another();
  });

  it('stays where the state had followed, and the next restore keeps it', async () => {
    const { kept, since } = await reset(commits[1] ?? '', NEXT + 1);
    expect([shown(kept, 'since.txt'), shown(kept, 'a.txt'), since]).toEqual(['a second hour', 'work 1', []]);
  });

  it('is a commit of its own, told until somebody has heard it, where the state had not', async () => {
    const since = (await settle(NOW)) ?? [];
    expect(since).toHaveLength(1);
    expect([shown(since[0], 'since.txt'), shown(since[0], 'a.txt')]).toEqual(['a second hour', 'work 1']);
    expect([read(worktree.folder, 'by-hand.txt'), existsSync(join(worktree.folder, 'since.txt'))]).toEqual(['an hour of work\n', false]); // prettier-ignore
    another();
    expect(await settle(NOW)).toEqual(since);
    const work = world.git('rev-list', refsOf(worktree.projectId).work).split('\n');
    expect(work).toContain(since[0]);
  });

  it('is named beside what was there before by a second restore', async () => {
    const { kept, since } = await reset(commits[1] ?? '');
    expect([shown(kept, 'by-hand.txt'), shown(since[0], 'since.txt')]).toEqual(['an hour of work', 'a second hour']);
    expect(read(worktree.folder, 'a.txt')).toBe('work 2\n');
    another();
    expect(await settle(NOW)).toEqual(since);
    expect(read(worktree.folder, 'by-hand.txt')).toBe('an hour of work\n');
  });
});

describe('what is pending in a worktree', () => {
  const pending = (commit: string | null) => world.worktrees.pending(worktree, commit);

  it('is what git sees, and whether a commit has it so; looking changes nothing', async () => {
    expect(await pending(null)).toEqual({
      files: [
        { path: 'a.txt', status: 'changed', isAsInCommit: null },
        { path: 'new.txt', status: 'added', isAsInCommit: null },
      ],
      isCut: false,
    });
    expect((await pending(snapshot))?.files.map(({ isAsInCommit }) => isAsInCommit)).toEqual([true, true]);
    writeFiles(worktree.folder, { 'new.txt': 'by hand\n', 'odd \n name.txt': 'x' });
    rmSync(join(worktree.folder, 'src', 'b.ts'));
    const known = (await pending(snapshot))?.files.map(({ path, status, isAsInCommit }) => [
      path,
      status,
      isAsInCommit,
    ]);
    expect(known).toEqual([
      ['a.txt', 'changed', true],
      ['new.txt', 'added', false],
      ['src/b.ts', 'deleted', false],
      ['odd \n name.txt', 'added', null],
    ]);
  });

  it('has what a commit has and the worktree lacks, and is unknown where there is no worktree', async () => {
    await world.worktrees.reset(worktree, commits[2] ?? '');
    expect((await pending(snapshot))?.files).toEqual([
      { path: 'a.txt', status: 'changed', isAsInCommit: false },
      { path: 'new.txt', status: 'changed', isAsInCommit: false },
    ]);
    await world.worktrees.remove(worktree);
    expect(await pending(snapshot)).toBeNull();
  });
});

describe('the checkpoints that commits remember', () => {
  const seen = async (projectId = worktree.projectId) =>
    (await keeper.witnesses(projectId, world.repo)).map(({ seq }) => seq).sort();

  it('are all of them, also those that were left behind and after the worktree is gone', async () => {
    expect(await keeper.witnesses(worktree.projectId, world.repo)).toContainEqual({ seq: 2, checksum: sumOf(2) });
    await reset(worktree.baseCommit);
    expect(await seen()).toEqual([1, 2, 3]);
    await world.worktrees.remove(worktree);
    world.git('branch', '-D', worktree.branch);
    expect(await seen()).toEqual([1, 2, 3]);
  });

  it('are none of another project’s, of one that is not there, or of a repository that is gone', async () => {
    const forged = `Work\n\nQralph-Checkpoint: ${worktree.projectId} 99 sha256:forged`;
    world.commit({ 'a.txt': 'x' });
    world.git('commit', '-q', '--allow-empty', '-m', forged);
    expect(await seen()).toEqual([1, 2, 3]);
    expect(await seen(newId())).toEqual([]);
    expect(await keeper.witnesses(worktree.projectId, join(world.folder, 'nowhere'))).toEqual([]);
  });
});

describe('a fork', () => {
  it('has a branch and files of its own from the commit, and leaves its origin alone', async () => {
    const to = newId();
    await keeper.fork(worktree.projectId, to, world.repo, first());
    const fork = await world.open({ projectId: to, name: '002-fork', ref: 'moved-on' });
    expect([read(fork.folder, 'a.txt'), await world.worktrees.head(fork), fork.baseCommit]).toEqual([
      'work 1\n',
      first(),
      worktree.baseCommit,
    ]);
    expect(read(worktree.folder, 'a.txt')).toBe('not committed\n');
    expect(world.git('rev-parse', worktree.branch)).toBe(commits[2]);
    expect(await keeper.witnesses(to, world.repo)).toEqual([]);
  });

  it('has its branch before anybody works on it, and keeps it when somebody does', async () => {
    const project = { projectId: newId(), name: '002-fork', repo: world.repo };
    await keeper.branchOff(project);
    expect(world.git('branch', '--list', 'qralph/002-fork')).toBe('');
    await keeper.fork(worktree.projectId, project.projectId, world.repo, snapshot);
    await Promise.all([keeper.branchOff(project), keeper.branchOff(project)]);
    expect(world.git('rev-parse', 'qralph/002-fork')).toBe(commits[2]);
    const [fork] = await Promise.all([world.open(project), keeper.branchOff(project)]);
    expect([read(fork.folder, 'new.txt'), await world.worktrees.head(fork)]).toEqual(['new\n', commits[2]]);
  });

  it('of a snapshot has its files, on a branch without it', async () => {
    const to = newId();
    await keeper.fork(worktree.projectId, to, world.repo, snapshot);
    const fork = await world.open({ projectId: to, name: '002-fork' });
    expect([read(fork.folder, 'new.txt'), await world.worktrees.head(fork)]).toEqual(['new\n', commits[2]]);
    expect(await world.worktrees.snapshot(fork)).not.toBe(commits[2]);
  });

  it('that is there already is left to those who work in it, and outlives its origin', async () => {
    const to = newId();
    await keeper.fork(worktree.projectId, to, world.repo, first());
    const fork = await world.open({ projectId: to, name: '002-fork' });
    writeFiles(fork.folder, { 'a.txt': 'work under way\n' });
    await keeper.fork(worktree.projectId, to, world.repo, snapshot);
    await world.worktrees.remove(worktree);
    for (const ref of Object.values(refsOf(worktree.projectId)) as string[]) world.git('update-ref', '-d', ref);
    world.git('branch', '-qD', worktree.branch);
    await world.open({ projectId: to, name: '002-fork' });
    expect(read(fork.folder, 'a.txt')).toBe('work under way\n');
    expect(world.git('for-each-ref', '--format=%(refname)', 'refs/qralph')).toBe(`refs/qralph/${to}/base`);
  });
});
