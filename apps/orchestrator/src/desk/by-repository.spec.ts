import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewMemory } from '#contracts';
import { tempFolder, type TempFolder } from '#testing';
import { MemoryNotes } from '../http/fixtures/memory-ports.js';
import { memoryByRepository, patternsByRepository, repositoryPaths } from './by-repository.js';

let folder: TempFolder;
let root: string;
beforeAll(() => {
  folder = tempFolder('by-repository');
  root = realpathSync(folder.path);
  mkdirSync(join(root, 'mine', 'repo'), { recursive: true });
  mkdirSync(join(root, 'other'));
  for (const repo of ['mine/repo', 'other']) execFileSync('git', ['init', '-q', join(root, repo)]);
  symlinkSync('repo', join(root, 'mine', 'link'));
  symlinkSync('../other', join(root, 'mine', 'out'));
});
afterAll(() => folder.remove());

describe('what is kept by repository', () => {
  const lesson: NewMemory = { kind: 'architectural_decision', repo: null, domains: [], title: 'One', body: 'queue' };

  it('is written and asked for under the path of its projects, by whatever path it was named', async () => {
    const notes = new MemoryNotes();
    const memory = memoryByRepository(notes, repositoryPaths([join(root, 'mine')]));
    const repo = join(root, 'mine', 'repo');
    for (const named of [repo, `${repo}/`, join(root, 'mine', 'link'), `${root}/mine/../mine/repo`]) {
      expect((await memory.add({ ...lesson, repo: named }, 'id')).repo).toBe(repo);
      await memory.list({ limit: 1, repo: named });
      expect(notes.queries.at(-1)).toEqual({ limit: 1, repo });
    }
    const asked: unknown[] = [];
    const reads = { list: (query: unknown) => (asked.push(query), Promise.resolve({ data: [], nextCursor: null })) };
    await patternsByRepository(reads, repositoryPaths([root])).list({ limit: 1, repo: `${repo}/` });
    expect(asked).toEqual([{ limit: 1, repo }]);
  });

  it('is left under a name behind which no repository may be seen, and under none', async () => {
    const memory = memoryByRepository(new MemoryNotes(), repositoryPaths([join(root, 'mine')]));
    for (const repo of [null, join(root, 'mine', 'out'), join(root, 'other', '.'), '/nowhere', 'repo']) {
      expect((await memory.add({ ...lesson, repo }, 'id')).repo).toBe(repo);
    }
  });
});
