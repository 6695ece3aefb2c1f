import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { type DeskWorld, openDeskWorld, operation } from './desk.fixture.js';

let world: DeskWorld;
let path: string;
beforeAll(async () => {
  world = await openDeskWorld(process.env['PATH'] ?? '');
  path = repository('repo');
  writeFileSync(join(path, 'file'), 'content');
  git(path, 'add', '-A');
  git(path, 'commit', '-q', '-m', 'first');
  git(path, 'tag', 'v1');
});
afterAll(() => world.close());

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-C', cwd, ...args])
    .toString()
    .trim();

function repository(name: string): string {
  const folder = join(world.folder, name);
  mkdirSync(folder);
  git(folder, 'init', '-q', '-b', 'main');
  return folder;
}

const projects = async (): Promise<number> =>
  Number((await world.pool.query<{ count: string }>('SELECT count(*) FROM project')).rows[0]?.count);

async function refusalOf(order: JsonObject): Promise<unknown> {
  const before = await projects();
  const error: unknown = await world.start(order).then(
    () => 'none',
    (reason: unknown) => reason,
  );
  expect(await projects()).toBe(before);
  return error;
}

describe('an order that its mode would not heed', () => {
  it.each<[string, JsonObject]>([
    ['commitArtifacts', { commitArtifacts: true }],
    ['agents', { agents: { pin: [], forbid: ['tester'] } }],
    ['variant', { variant: 'quick' }],
    ['repo', { repo: { path: '/' } }],
  ])('is refused for its %s, and starts nothing', async (name, asked) => {
    expect(await refusalOf(asked)).toMatchObject({
      name: 'UserError',
      code: 'OPTION_NOT_AVAILABLE',
      message: `the mode desk has no option ${name}; it knows verify`,
      details: { mode: 'desk', unknown: [name], known: ['verify'] },
    });
  });

  it('is refused for a gate that cannot be switched off', async () => {
    expect(await refusalOf({ gates: { go: false, stop: false } })).toMatchObject({
      code: 'OPTION_NOT_AVAILABLE',
      details: { mode: 'desk', unknown: ['stop'], known: ['go'] },
    });
  });

  it('is none where it asks for nothing more than the mode knows', async () => {
    const order = {
      variant: null,
      commitArtifacts: false,
      verify: ['true'],
      budget: { usd: '1' },
      gates: { go: false },
    };
    expect(await world.start(order)).toMatchObject({ status: 'waiting' });
  });
});

describe('the commit that a project is to begin at', () => {
  const onRepository = (ref?: string): JsonObject => ({
    mode: 'on-repository',
    repo: { path, ...(ref !== undefined && { ref }) },
  });

  it.each([
    ['nope', 'REPO_REF_NOT_FOUND'],
    ['HEAD~99', 'REPO_REF_NOT_FOUND'],
    ['0'.repeat(40), 'REPO_REF_NOT_FOUND'],
    ['--upload-pack=x', 'REPO_REF_INVALID'],
    ['main:file', 'REPO_REF_INVALID'],
  ])('is looked up before anything is promised: %s is %s', async (ref, code) => {
    expect(await refusalOf(onRepository(ref))).toMatchObject({ name: 'UserError', code });
  });

  it('is not there in a repository without a commit', async () => {
    const order = { mode: 'on-repository', repo: { path: repository('empty') } };
    expect(await refusalOf(order)).toMatchObject({ code: 'REPO_EMPTY' });
  });

  it.each([undefined, 'main', 'v1', 'HEAD'])('may be given as %s', async (ref) => {
    expect((await world.start(onRepository(ref))).repo).toEqual({ path, ref: ref ?? 'HEAD' });
  });
});

describe('the number of a project', () => {
  const numberIn = async (repo: string): Promise<number> =>
    (await world.start({ mode: 'on-repository', repo: { path: repo } })).number ?? 0;

  it('is above every folder and branch that a project of another service left in the repository', async () => {
    const repo = join(world.folder, 'used');
    git(world.folder, 'clone', '-q', path, repo);
    const last = await numberIn(repo);
    mkdirSync(join(repo, '.qralph', 'projects', `${String(last + 10)}-dark-mode-toggle`), { recursive: true });
    expect(await numberIn(repo)).toBe(last + 11);
    git(repo, 'branch', `qralph/${String(last + 20)}-dark-mode-toggle`);
    expect(await numberIn(repo)).toBe(last + 21);
    git(repo, 'update-ref', `refs/remotes/origin/qralph/${String(last + 30)}-dark-mode-toggle`, 'HEAD');
    const { id, number } = await world.start({ mode: 'on-repository', repo: { path: repo } });
    expect(number).toBe(last + 31);
    git(repo, 'branch', `qralph/${String(last + 40)}-dark-mode-toggle`);
    expect((await world.desk.fork(id, 1, operation())).number).toBe(last + 41);
  });

  it('is each its own, also where many begin at once above what is there', async () => {
    const repo = join(world.folder, 'crowded');
    git(world.folder, 'clone', '-q', path, repo);
    const taken = (await numberIn(repo)) + 50;
    git(repo, 'branch', `qralph/${String(taken)}-x`);
    const numbers = await Promise.all(Array.from({ length: 5 }, () => numberIn(repo)));
    expect(new Set(numbers).size).toBe(5);
    expect(Math.min(...numbers)).toBeGreaterThan(taken);
  });

  it('is used up by no name that a repository may have', async () => {
    const repo = join(world.folder, 'hostile');
    git(world.folder, 'clone', '-q', path, repo);
    const last = await numberIn(repo);
    for (const name of ['2147483647-x', '999999999-x', '20261117-notes', 'notes', '-1-x', '1e9-x']) {
      mkdirSync(join(repo, '.qralph', 'projects', name), { recursive: true });
    }
    git(repo, 'branch', 'qralph/999999999-x');
    expect(await numberIn(repo)).toBe(last + 1);
  });
});
