import { describe, expect, it } from 'vitest';
import type { VerifyReport } from '#workspace';
import { fakeParts, verifiedAs, Visit, WORKTREE } from '../coding.fixture.js';
import { failingRun } from './proof.fixture.js';
import { verifySteadily } from './verify-step.js';

async function verify(runs: readonly VerifyReport[], context: object = {}) {
  const left = [...runs];
  const world = fakeParts({ verify: () => left.shift() ?? failingRun('one run too many') });
  const { activity } = new Visit({ baseline: failingRun('old'), ...context });
  const seen = await verifySteadily(world.parts, activity, WORKTREE, { commit: 'left' });
  return { ...seen, runs: world.cleanRuns };
}

describe('the verification of a step', () => {
  it('runs once in the clean room if nothing new fails', async () => {
    const { comparison, flaky, runs } = await verify([failingRun('old')]);
    expect([comparison.isNoWorse, flaky, runs.map(({ tree }) => tree.commit)]).toEqual([true, [], ['left']]);
  });

  it('sees new failures a second time: those that fail again count', async () => {
    const { comparison, runs, flaky } = await verify([failingRun('new'), failingRun('new')]);
    expect([comparison.isNoWorse, comparison.newFailures, flaky, runs.length]).toEqual([false, ['new'], [], 2]);
  });

  it('takes a test that passes the second time for flaky, and for no failure', async () => {
    const { comparison, flaky, result } = await verify([failingRun('new'), failingRun()]);
    expect([comparison.isNoWorse, flaky, result.verdict]).toEqual([true, ['new'], 'passed']);
  });

  it('takes tests that fail in turns for flaky', async () => {
    const { comparison, flaky } = await verify([failingRun('a'), failingRun('b')]);
    expect([comparison.isNoWorse, [...flaky].sort()]).toEqual([true, ['a', 'b']]);
  });

  it('still counts a steady failure beside a flaky one', async () => {
    const { comparison, flaky } = await verify([failingRun('steady', 'mixed'), failingRun('steady')]);
    expect([comparison.newFailures, flaky]).toEqual([['steady'], ['mixed']]);
  });

  it('does not run again for a test that is known to be flaky', async () => {
    const { comparison, runs } = await verify([failingRun('new')], { flakyTests: ['new'] });
    expect([comparison.isNoWorse, runs.length]).toEqual([true, 1]);
  });

  it('takes no test of the baseline for flaky because it passes now', async () => {
    expect((await verify([failingRun('new'), failingRun('old', 'new')])).flaky).toEqual([]);
  });

  it('fails if a command fails without naming a test', async () => {
    const silent = verifiedAs('failed', null, 'boom');
    const { comparison } = await verify([silent, silent], { baseline: verifiedAs('passed', null) });
    expect([comparison.isNoWorse, comparison.newFailures.length]).toEqual([false, 1]);
  });

  it('takes nothing for flaky if one run fails as a whole: that names no test', async () => {
    const crashed = verifiedAs('failed', null, 'Segmentation fault');
    for (const runs of [
      [failingRun('new'), crashed],
      [crashed, failingRun('new')],
    ]) {
      const { comparison, flaky } = await verify(runs);
      expect([comparison.isNoWorse, flaky]).toEqual([false, []]);
    }
    expect((await verify([crashed, failingRun('old')])).comparison.isNoWorse).toBe(true);
  });

  it('fails if the clean room cannot be set up', async () => {
    const failed = { ...verifiedAs('passed'), commands: [], setupFailure: { reason: 'no lock file', output: 'x' } };
    const { comparison, result } = await verify([failed, failed]);
    expect([comparison.isNoWorse, result.verdict, result.reason]).toEqual([false, 'failed', 'no lock file']);
  });
});
