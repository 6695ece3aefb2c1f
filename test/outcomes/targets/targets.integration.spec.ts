import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { tempFolder } from '#testing';
import { applyChange, git, makeRepository, runOracle, writeFiles } from '../repository.js';
import { type Job, jobs } from './index.js';
import { type Change, NO_CHANGE } from './change.js';
import { LINK_PAD } from './frontend.js';

const run = promisify(execFile);
const folder = tempFolder('outcome-targets');
afterAll(() => folder.remove());

let count = 0;
async function repositoryWith({ target }: Job, change: Change): Promise<string> {
  count += 1;
  const path = join(folder.path, `repository-${String(count)}`);
  await makeRepository(path, target.files);
  await applyChange(path, change);
  await git(path, 'add', '-A');
  await git(
    path,
    '-c',
    'user.name=A',
    '-c',
    'user.email=a@example.com',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'Change',
  );
  return path;
}

const judge = async (job: Job, change: Change) => {
  const path = await repositoryWith(job, change);
  return runOracle(path, 'main', job.task.oracle, join(folder.path, `oracle-${String(count)}`));
};

const succeeds = (path: string, command: string): Promise<boolean> =>
  run('sh', ['-c', command], { cwd: path, env: { PATH: process.env['PATH'] ?? '', HOME: path } }).then(
    () => true,
    () => false,
  );

describe.each(Object.entries<Job>(jobs))('%s', (_name, job) => {
  const { task } = job;

  it('passes the oracle with the right change', async () => {
    expect(await judge(job, task.right)).toMatchObject({ isPassed: true });
  });

  it('fails the oracle without a change and with each wrong change', async () => {
    expect(Object.keys(task.wrong)).not.toEqual([]);
    for (const [name, change] of [['no change', NO_CHANGE] as const, ...Object.entries(task.wrong)]) {
      expect({ name, ...(await judge(job, change)) }).toMatchObject({ name, isPassed: false });
    }
  });

  it('has checks and scenarios that fail before, unless their part holds already, and pass after the right change', async () => {
    const before = await repositoryWith(job, NO_CHANGE);
    const after = await repositoryWith(job, task.right);
    const checks = task.parts.flatMap(({ check, holds = false }) => (check ? [{ ...check, holds }] : []));
    for (const { file, content, command, holds } of checks) {
      for (const path of [before, after]) await writeFiles(path, { [file]: content });
      await link(after);
      expect([command, await succeeds(before, command), await succeeds(after, command)]).toEqual([
        command,
        holds,
        true,
      ]);
    }
    const { command } = task.scenarios[0] ?? { command: null };
    if (command !== null) expect([command, await succeeds(after, command)]).toEqual([command, true]);
  });
});

/** What `npm ci` makes of a workspace, or of a package below the root. */
const link = async (path: string): Promise<void> => {
  await succeeds(path, `test ! -d frontend || (${LINK_PAD})`);
  await succeeds(
    path,
    'test ! -d packages || (mkdir -p node_modules/@mono && ln -sfn ../../packages/core node_modules/@mono/core)',
  );
};
