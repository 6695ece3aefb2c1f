import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId, UserError } from '#kernel';
import { WorktreeKeeper } from './worktree-keeper.js';
import { gitIn, newWorld, read, SIGNAL, type World, writeFiles } from './worktree.fixture.js';

let world: World;
beforeEach(() => {
  world = newWorld(process.env['PATH']);
});
afterEach(() => world.remove());

const isRoot = process.getuid?.() === 0;

async function refusal(wish: Parameters<World['open']>[0] = {}): Promise<UserError> {
  const error: unknown = await world.open(wish).then(
    () => new Error('was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof UserError)) throw error;
  return error;
}

describe('a repository that cannot be worked on', () => {
  it('is refused where it is none, and the repository around it is named', async () => {
    mkdirSync(join(world.folder, 'plain'));
    expect(await refusal({ repo: join(world.folder, 'plain') })).toMatchObject({ code: 'REPO_NOT_GIT' });
    expect(await refusal({ repo: join(world.folder, 'nowhere') })).toMatchObject({ code: 'REPO_NOT_FOUND' });
    const inside = await refusal({ repo: join(world.repo, 'src') });
    expect(inside).toMatchObject({ code: 'REPO_NOT_GIT', details: { root: world.repo } });
  });

  it('is refused where it is bare, with what to do', async () => {
    world.git('clone', '-q', '--bare', world.repo, join(world.folder, 'bare'));
    const error = await refusal({ repo: join(world.folder, 'bare') });
    expect(error.code).toBe('REPO_BARE');
    expect(error.message).toContain('git clone');
  });

  it('is refused where it has no commit, and where the ref is not there', async () => {
    world.git('init', '-q', '-b', 'main', join(world.folder, 'empty'));
    expect(await refusal({ repo: join(world.folder, 'empty') })).toMatchObject({ code: 'REPO_EMPTY' });
    expect(await refusal({ ref: 'nothing' })).toMatchObject({ code: 'REPO_REF_NOT_FOUND' });
    world.git('update-ref', 'refs/remotes/origin/theirs', 'main');
    expect((await refusal({ ref: 'theirs' })).message).toContain('origin/theirs');
  });

  it.each([
    '',
    '-x',
    '--upload-pack=touch x',
    'main..HEAD',
    'main:a.txt',
    'a b',
    'HEAD@{1}',
    'HEAD^{/one}',
    'x\u0000y',
    'x'.repeat(300),
  ])('is refused where the ref is %j', async (ref) => {
    expect(await refusal({ ref })).toMatchObject({ code: 'REPO_REF_INVALID' });
  });

  it.each(['../../etc', '001-UP', '001', '001-a.lock', '001-a/b', ''])('is refused under the name %j', async (name) => {
    expect(await refusal({ name })).toMatchObject({ code: 'PROJECT_NAME_INVALID' });
  });

  it.each(['', '..', 'a/b', '.git', '-x'])('is refused for the project id %j', async (projectId) => {
    expect(await refusal({ projectId })).toMatchObject({ code: 'PROJECT_ID_INVALID' });
  });

  it('is refused where it has submodules', async () => {
    world.git('update-index', '--add', '--cacheinfo', `160000,${world.git('rev-parse', 'HEAD')},vendor/part`);
    world.git('commit', '-q', '-m', 'with a submodule');
    const error = await refusal();
    expect(error).toMatchObject({ code: 'REPO_SUBMODULES', details: { paths: ['vendor/part'] } });
  });

  it('is refused where it keeps files in LFS, but not for a rule that no file falls under', async () => {
    world.commit({ 'art/.gitattributes': '*.psd filter=lfs diff=lfs merge=lfs -text\n' });
    expect(await world.open({ name: '001-fine' })).toBeDefined();
    world.commit({ 'art/a.psd': 'version https://git-lfs.github.com/spec/v1\n' });
    expect(await refusal({ name: '002-lfs' })).toMatchObject({ code: 'REPO_LFS', details: { paths: ['art/a.psd'] } });
  });

  it('is refused where somebody else has a branch of that name, and that branch stays', async () => {
    world.git('branch', 'qralph/001-first-work');
    expect(await refusal()).toMatchObject({ code: 'REPO_BRANCH_TAKEN' });
    await world.open({ name: '002-mine' });
    expect(await refusal({ name: '002-mine' })).toMatchObject({ code: 'REPO_BRANCH_TAKEN' });
    world.git('branch', 'qralph/003-x/y');
    expect(await refusal({ name: '003-x' })).toMatchObject({ code: 'REPO_BRANCH_TAKEN' });
    expect(world.git('rev-parse', 'qralph/001-first-work')).toBe(world.git('rev-parse', 'main'));
  });

  it('is refused where a lock stays, with the name of the lock; one that goes away is waited for', async () => {
    const { projectId: from, baseCommit } = await world.open();
    const fork = { projectId: newId(), name: '002-fork', repo: world.repo, ref: 'main' };
    await new WorktreeKeeper(world.worktrees).fork(from, fork.projectId, world.repo, baseCommit);
    // Where a fork begins is forgotten once it has begun, and no ref goes while this lock is held.
    const lock = join(world.repo, '.git/packed-refs.lock');
    world.git('pack-refs', '--all');
    writeFileSync(lock, '');
    const hasty = world.again({ lockWaitMs: 100 }).open(fork, SIGNAL);
    await expect(hasty).rejects.toMatchObject({ code: 'REPO_LOCKED', details: { lock } });
    const patient = world.open(fork);
    rmSync(lock);
    expect(read((await patient).folder, 'a.txt')).toBe('one\n');
  });

  it('does not mind the lock of the user’s own index', async () => {
    writeFileSync(join(world.repo, '.git/index.lock'), '');
    expect(read((await world.open()).folder, 'a.txt')).toBe('one\n');
    expect(existsSync(join(world.repo, '.git/index.lock'))).toBe(true);
  });

  it('is refused where objects are missing', async () => {
    const blob = world.git('rev-parse', 'main:a.txt');
    rmSync(join(world.repo, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    expect(await refusal()).toMatchObject({ code: 'REPO_INCOMPLETE' });
  });

  it('is refused where its configuration cannot be read or asks for what is not known', async () => {
    writeFileSync(join(world.repo, '.git/config'), '[core\nrubbish');
    expect(await refusal()).toMatchObject({ code: 'REPO_BROKEN' });
    writeFileSync(join(world.repo, '.git/config'), '[core]\nrepositoryformatversion = 1\n[extensions]\nmagic = true\n');
    expect(await refusal()).toMatchObject({ code: 'REPO_FORMAT_UNKNOWN' });
  });

  const FOLDERS = ['worktrees', 'refs', 'info', 'objects', 'objects/pack', 'logs', 'logs/refs', 'logs/refs/heads'];
  const OF_BRANCHES = ['refs/heads', 'refs/heads/qralph', 'refs/qralph', 'logs/refs/heads/qralph', 'logs/refs/qralph'];
  it.each([...FOLDERS, ...OF_BRANCHES])(
    'is refused where %s in it leads elsewhere, and nothing is written there',
    async (name) => {
      const elsewhere = join(world.folder, 'elsewhere');
      const inside = join(world.repo, '.git', name);
      mkdirSync(dirname(inside), { recursive: true });
      if (existsSync(inside)) renameSync(inside, elsewhere);
      else mkdirSync(elsewhere);
      const before = readdirSync(elsewhere, { recursive: true });
      symlinkSync(elsewhere, inside);
      expect(await refusal()).toMatchObject({ code: 'REPO_SYMLINKED' });
      expect(readdirSync(elsewhere, { recursive: true })).toEqual(before);
    },
  );

  it.each(['packed-refs', 'logs/HEAD', 'logs/refs/heads/qralph/001-first-work'])(
    'is refused where the file %s is a link, and nothing is written through it',
    async (name) => {
      const [elsewhere, inside] = [join(world.folder, 'elsewhere'), join(world.repo, '.git', name)];
      writeFileSync(elsewhere, '');
      mkdirSync(dirname(inside), { recursive: true });
      rmSync(inside, { force: true });
      symlinkSync(elsewhere, inside);
      expect(await refusal()).toMatchObject({ code: 'REPO_SYMLINKED', details: { path: inside } });
      expect(read(world.folder, 'elsewhere')).toBe('');
    },
  );

  it.each(['worktrees/ID', 'worktrees/ID/logs', 'refs/qralph/ID', 'logs/refs/qralph/ID'])(
    'is refused where a project’s own %s leads elsewhere',
    async (name) => {
      const projectId = newId();
      const [elsewhere, inside] = [
        join(world.folder, 'elsewhere'),
        join(world.repo, '.git', name.replace('ID', projectId)),
      ];
      mkdirSync(elsewhere);
      mkdirSync(dirname(inside), { recursive: true });
      symlinkSync(elsewhere, inside);
      expect(await refusal({ projectId })).toMatchObject({ code: 'REPO_SYMLINKED', details: { path: inside } });
      expect(readdirSync(elsewhere)).toEqual([]);
    },
  );

  it('is worked on where it borrows the objects of another one', async () => {
    const clone = join(world.folder, 'clone');
    world.git('clone', '-q', '--shared', world.repo, clone);
    expect(read((await world.open({ repo: clone })).folder, 'a.txt')).toBe('one\n');
  });

  it('leaves nothing of a refused project behind', async () => {
    const before = readdirSync(join(world.repo, '.git'), { recursive: true }).sort();
    await refusal({ ref: 'nothing' });
    expect(readdirSync(join(world.repo, '.git'), { recursive: true }).sort()).toEqual(before);
    expect(readdirSync(world.root)).toEqual(['.views']);
  });
});

describe('a repository of somebody else’s', () => {
  const handOver = (): void => {
    for (const name of ['', ...readdirSync(world.repo, { recursive: true, encoding: 'utf8' })]) {
      chownSync(join(world.repo, name), 12_345, 12_345);
    }
  };

  /** Root may write everywhere, and nobody else can give a repository away: each sees one half of it. */
  it('is worked on where it may be written to, which is said, and refused where it may not', async () => {
    if (isRoot) {
      handOver();
      expect(() => gitIn(world.repo)('status')).toThrow(/dubious ownership/);
      const worktree = await world.open();
      expect(worktree.notes?.join()).toContain('12345');
      writeFiles(worktree.folder, { 'a.txt': 'x' });
      expect(await world.worktrees.snapshot(worktree)).toMatch(/^[0-9a-f]{40}$/);
      return;
    }
    rmSync(join(world.repo, '.git/logs'), { recursive: true });
    chmodSync(join(world.repo, '.git'), 0o500);
    try {
      expect(await refusal()).toMatchObject({ code: 'REPO_NOT_WRITABLE' });
      const start = { projectId: newId(), repo: world.repo, ref: 'HEAD' };
      await expect(world.worktrees.commitAt(start)).rejects.toMatchObject({ code: 'REPO_NOT_WRITABLE' });
    } finally {
      chmodSync(join(world.repo, '.git'), 0o700);
    }
  });
});
