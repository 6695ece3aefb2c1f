import { describe, expect, it } from 'vitest';
import { fakeParts, verifiedAs, Visit, WORKTREE } from '../coding.fixture.js';
import { failingRun } from '../proof/proof.fixture.js';
import { findFlakyTests } from './find-flaky-tests.js';

async function find(again: readonly string[], context: object = {}) {
  const world = fakeParts({ verify: () => failingRun(...again) });
  const { activity } = new Visit({ baseline: failingRun('rounds', 'sorts'), ...context }, { state: 'SCOPING' });
  return { flaky: await findFlakyTests(world.parts, activity, WORKTREE), runs: world.cleanRuns };
}

describe('failing tests of the baseline', () => {
  it('are seen a second time on the base; those that pass then are flaky', async () => {
    const { flaky, runs } = await find(['sorts']);
    expect([flaky, runs.map(({ tree }) => tree.commit)]).toEqual([['rounds'], ['base']]);
  });

  it('are not flaky if they fail again, and other tests do not matter', async () => {
    expect((await find(['rounds', 'sorts', 'new one'])).flaky).toEqual([]);
  });

  it('are all run again if the selection finds no test, and are not flaky if no test runs at all', async () => {
    const name = 'test/a.test.mjs: rounds';
    const failing = failingRun(name);
    const baseline = { ...failing, commands: failing.commands.map((one) => ({ ...one, command: 'node --test' })) };
    const visit = new Visit({ baseline }, { state: 'SCOPING' });
    const empty = fakeParts({ clean: ({ commands }) => (commands === null ? failing : verifiedAs('passed', null)) });
    expect(await findFlakyTests(empty.parts, visit.activity, WORKTREE)).toEqual([]);
    expect(empty.cleanRuns.map(({ commands }) => commands === null)).toEqual([false, true]);
    const silent = fakeParts({ clean: () => verifiedAs('passed', null) });
    const other = new Visit({ baseline }, { state: 'SCOPING' });
    expect(await findFlakyTests(silent.parts, other.activity, WORKTREE)).toEqual([]);
  });

  it('are not run again if there are none, and known flaky tests stay known', async () => {
    const { flaky, runs } = await find([], { baseline: failingRun(), flakyTests: ['old'] });
    expect([flaky, runs]).toEqual([['old'], []]);
  });
});
