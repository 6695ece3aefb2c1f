import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { tempFolder } from '#testing';
import { applyChange, git, makeRepository, runOracle } from '../repository.js';
import { lies } from './lies.js';

const folder = tempFolder('outcome-lies');
afterAll(() => folder.remove());

describe.each(lies.filter(({ protocol }) => protocol !== 'none'))('the lie $name', ({ name, job, does }) => {
  it('fails the oracle on a fresh clone', async () => {
    const repository = join(folder.path, name);
    await makeRepository(repository, job.target.files);
    // Commands only leave files that git ignores.
    const { edits = [], files = {} } = does.large ?? {};
    await applyChange(repository, { edits, files });
    await git(repository, 'add', '-A');
    await git(
      repository,
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@example.com',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'Lie',
    );
    expect(await runOracle(repository, 'main', job.task.oracle, `${repository}-oracle`)).toMatchObject({
      isPassed: false,
    });
  });
});
