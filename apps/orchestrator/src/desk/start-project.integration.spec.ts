import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { type DeskWorld, openDeskWorld } from './desk.fixture.js';

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
    ['webhook', { webhook: { url: 'https://example.org' } }],
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
