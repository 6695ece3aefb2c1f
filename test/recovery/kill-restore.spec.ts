import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Project } from '#contracts';
import { eventually, tempFolder } from '#testing';
import { DemoRepository } from '../../apps/orchestrator/src/demo/demo-repository.js';
import { gitIn } from '../e2e/errand-world.js';
import type { Api } from '../harness/api.js';
import { type Field, openField } from '../harness/field.js';
import { processesBelow } from '../harness/processes.js';
import type { ServiceProcess } from '../harness/service-process.js';

type Kept = Readonly<Partial<Record<'kept' | 'keptSince', string>>>;

const folder = tempFolder('kill-restore');
const repo = join(folder.path, 'repository');
let field: Field;
let service: ServiceProcess & { readonly api: Api };
let project: Project;
let worktree: string;

beforeAll(async () => {
  await new DemoRepository(repo, process.env['PATH'] ?? '').make();
  field = await openField({ env: { QRALPH_REPO_ROOTS: folder.path } });
  service = await field.orchestrator();
  const order = { request: 'Add dark mode toggle', mode: 'coding', repo: { path: repo }, gates: { complete: true } };
  project = await service.api.must<Project>('POST', '/v1/projects', order);
  await service.api.untilStatus(project.id, 'waiting', 60_000);
  worktree = join(field.dataDir, 'worktrees', project.id);
});
afterAll(async () => {
  await field.close();
  await folder.remove();
});

const byHand = (name: string): Promise<void> => writeFile(join(worktree, name), `${name} by a person\n`);
const isThere = (name: string): Promise<boolean> =>
  readFile(join(worktree, name)).then(
    () => true,
    () => false,
  );
const told = async (type: string): Promise<readonly Kept[]> =>
  (await service.api.events(project.id)).filter((event) => event.type === type).map(({ data }) => data as Kept);
const refsOfOthers = async (): Promise<readonly string[]> =>
  (await gitIn(repo, 'for-each-ref', '--format=%(refname)', 'refs/qralph'))
    .split('\n')
    .filter((ref) => !ref.includes(project.id));

/** The service dies while it may touch files, and no link can be appended. */
async function killedOver(path: string, areFilesTouched: () => Promise<boolean>, meanwhile = async () => {}) {
  const client: pg.PoolClient = await field.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE checkpoint IN EXCLUSIVE MODE');
    const asked = service.api.call('POST', path).catch(() => null);
    await eventually('files are touched', areFilesTouched);
    const writers = processesBelow(service.child.pid ?? 0).filter(({ command }) => /\bgit\b/.test(command));
    await service.kill('SIGKILL');
    expect(await asked).toBeNull();
    // A git of the dead service may still remove files. A person begins after it.
    await eventually('git has ended', async () => writers.every(({ pid }) => !existsSync(`/proc/${String(pid)}`)));
    await meanwhile();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  service = await field.orchestrator();
}

describe('kill -9 between the files of a restore and its state', () => {
  const path = (seq: number): string => `/v1/projects/${project.id}/checkpoints/${String(seq)}/restore`;
  const cutOff = async (since: string): Promise<void> => {
    await byHand('before.txt');
    const isBack = async (): Promise<boolean> => !(await isThere('before.txt'));
    await killedOver(path(1), isBack, () => byHand(since));
  };

  it('leaves all that a person had, and changed since, in commits that the next restore names', async () => {
    await cutOff('since.txt');
    const { seq } = (await service.api.project(project.id)).checkpoint;
    await service.api.must('POST', path(seq));
    const [{ kept, keptSince } = {}] = await told('checkpoint.restored');
    expect(await gitIn(repo, 'show', `${kept ?? ''}:before.txt`)).toBe('before.txt by a person');
    expect(await gitIn(repo, 'show', `${keptSince ?? ''}:since.txt`)).toBe('since.txt by a person');
    const { commit } = await service.api.checkpoint(project.id, seq);
    expect(await gitIn(worktree, 'diff', '--name-only', String(commit))).toBe('');
    expect(await gitIn(worktree, 'ls-files', '--others', '--exclude-standard')).toBe('');
  });

  it('is taken back by whoever drives the project next, which tells where it is', async () => {
    await cutOff('later.txt');
    await service.api.command(project.id, 'RESUME');
    await service.api.untilStatus(project.id, 'waiting', 60_000);
    await service.api.decide(project.id, 'approve', 'complete');
    await service.api.untilStatus(project.id, 'completed', 30_000);
    const [{ kept } = {}] = await told('restore.undone');
    expect(await gitIn(repo, 'show', `${kept ?? ''}:later.txt`)).toBe('later.txt by a person');
  });
});

describe('kill -9 between the files of a fork and its project', () => {
  it('leaves nothing once the service is up again, and the next fork is whole', async () => {
    const seq = Math.max(...(await service.api.checkpoints(project.id)).flatMap((one) => (one.state === 'BEFORE_COMPLETE' ? [one.seq] : []))); // prettier-ignore
    const path = `/v1/projects/${project.id}/checkpoints/${String(seq)}/fork`;
    await killedOver(path, async () => (await refsOfOthers()).some((ref) => ref.endsWith('/base')));
    await eventually('nothing is left', async () => (await refsOfOthers()).length === 0);
    const fork = await service.api.must<Project>('POST', path);
    expect(await refsOfOthers()).toContain(`refs/qralph/${fork.id}/base`);
    await service.api.command(fork.id, 'ABORT');
    await service.api.untilStatus(fork.id, 'aborted', 20_000);
  });
});
