import { expect, it } from 'vitest';
import { UserError } from '#kernel';
import { fakeParts, verifiedAs, Visit, WORKTREE } from '../coding/coding.fixture.js';
import { runInCleanRoom } from './verification.js';

const run = (error: Error) => {
  const { parts } = fakeParts({
    clean: () => {
      throw error;
    },
  });
  const wish = { tree: { commit: 'done', files: [] }, commands: ['node check.mjs'], step: 'check' };
  return runInCleanRoom(parts, new Visit({}).activity, WORKTREE, wish);
};

it('reports a failed run if the change has a link at the path of a file of a check', async () => {
  const report = await run(new UserError('CLEAN_PATH_INVALID', 'it lies behind a link'));
  expect(report).toMatchObject({ verdict: 'failed', reason: 'it lies behind a link', commands: [], sandbox: 'none' });
});

it('throws any other error', async () => {
  await expect(run(new Error('no space'))).rejects.toThrow('no space');
});

it('lets commands beside the verify commands take three times as long as they took before, if that is longer', async () => {
  const took = (durationMs: number) => ({
    commands: verifiedAs('passed').commands.map((run) => ({ ...run, durationMs })),
  });
  const { parts, cleanRuns } = fakeParts();
  const { activity } = new Visit({ baseline: { ...verifiedAs('passed'), ...took(1_000) } });
  const wish = { tree: { commit: 'done' }, commands: ['cd p && npm test'] };
  await runInCleanRoom(parts, activity, WORKTREE, { ...wish, step: 'slow', baseline: took(20_000) });
  await runInCleanRoom(parts, activity, WORKTREE, { ...wish, step: 'quick', baseline: took(300) });
  expect(cleanRuns.map(({ timeoutMs }) => timeoutMs)).toEqual([60_000, 3_000]);
});

it('lets every command take three times as long as the slowest command of the baseline', async () => {
  const [run] = verifiedAs('passed').commands;
  if (!run) throw new Error('a report has a command');
  const commands = [20_000, 300].map((durationMs) => ({ ...run, durationMs }));
  const { parts, cleanRuns } = fakeParts();
  const { activity } = new Visit({ baseline: { ...verifiedAs('passed'), commands } });
  const tree = { commit: 'done' };
  await runInCleanRoom(parts, activity, WORKTREE, { tree, commands: ['node check.mjs'], step: 'check' });
  expect(cleanRuns).toMatchObject([{ commands: ['node check.mjs'], timeoutMs: 60_000 }]);
});
