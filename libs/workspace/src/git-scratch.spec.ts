import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { OUTCOME_UNKNOWN } from '#kernel';
import type { Command, CommandResult } from '#process-monitor';
import { GitScratch } from './git-scratch.js';

const root = mkdtempSync(join(tmpdir(), 'qralph-test-git-scratch-'));
afterAll(() => rmSync(root, { recursive: true }));

const run = {
  key: 'p/1/1/announce',
  attempt: 1,
  tell: () => undefined,
  lease: { projectId: 'p', workerId: 'w', epoch: 1 },
  signal: new AbortController().signal,
};
const announced = (how: Pick<CommandResult, 'exitCode' | 'endedBy'>): Promise<number> =>
  new GitScratch(root, { run: async () => ({ ...how, stdout: '1', stderr: '' }) }).announce('p', 'hello', run);

describe('an effect of the scratch repository', () => {
  it.each([
    ['the shell was killed from outside', { exitCode: null, endedBy: 'itself' }],
    ['a program in it was killed from outside', { exitCode: 137, endedBy: 'itself' }],
    ['it was interrupted', { exitCode: 0, endedBy: 'interruption' }],
  ] as const)('has an outcome that nobody knows when %s', async (_, how) => {
    await expect(announced(how)).rejects.toMatchObject({ code: OUTCOME_UNKNOWN });
  });

  it('is known to have failed when its script says so', async () => {
    await expect(announced({ exitCode: 128, endedBy: 'itself' })).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
  });
});

describe('a scratch repository that is given up', () => {
  const commands = {
    run: async ({ file, args, cwd = '', env }: Command): Promise<CommandResult> => {
      const { status, stdout, stderr } = spawnSync(file, args, {
        cwd,
        env: { ...process.env, ...env },
        encoding: 'utf8',
      });
      return { exitCode: status, stdout, stderr, endedBy: 'itself' };
    },
  };

  it.each([
    ['is not there yet', () => undefined],
    ['is half made', (folder: string) => mkdirSync(join(folder, '.git', 'refs'), { recursive: true })],
    ['has no commit yet', (folder: string) => spawnSync('git', ['init', '-q', '-b', 'main', folder])],
  ])('may be one that %s', async (what, make) => {
    const project = what.replaceAll(' ', '-');
    make(join(root, project));
    const scratch = new GitScratch(root, commands);
    expect(await scratch.scrap(project, run)).toBeNull();
    expect(await scratch.create(project, run)).toMatch(/^[0-9a-f]{40}$/);
  });
});
