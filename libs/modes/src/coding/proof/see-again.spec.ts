import { describe, expect, it } from 'vitest';
import type { VerifyReport } from '#workspace';
import { fakeParts, verifiedAs, Visit, WORKTREE } from '../coding.fixture.js';
import { NOT_RUN } from './base-tests.js';
import { failingRun, planWith } from './proof.fixture.js';
import { seeScopeAgain } from './see-again.js';

const NAMES = ['rounds', 'adds'];

interface World {
  readonly result?: VerifyReport;
  readonly again?: VerifyReport;
  readonly baseTests?: Partial<typeof NOT_RUN>;
  readonly flakyTests?: readonly string[];
  readonly oldTests?: readonly string[];
  readonly newTestFiles?: readonly string[];
}

async function see({ result = failingRun(), again = failingRun(), baseTests = {}, flakyTests = [], ...more }: World) {
  const files = { 'package.json': '{"scripts":{"test":"mocha"}}' };
  const world = fakeParts({ verify: () => again, files });
  const baseline = failingRun(...NAMES);
  const { activity } = new Visit({ baseline, flakyTests });
  const seen = await seeScopeAgain(world.parts, activity, WORKTREE, {
    commit: 'done',
    plan: planWith({ scope: NAMES.map((name) => ({ name, reason: 'r' })) }),
    baseline,
    seen: result,
    baseTests: { ...NOT_RUN, ...baseTests },
    changed: { oldTests: [], newTestFiles: [], ...more },
  });
  return { seen, runs: world.cleanRuns };
}

describe('failures in scope', () => {
  it('pass if they pass twice; the second run selects only them', async () => {
    const { seen, runs } = await see({});
    expect(seen).toEqual({ stillFailing: [], flaky: [], unseen: [] });
    expect(runs).toMatchObject([{ tree: { commit: 'done' }, commands: ["npm test -- --grep '^(?:rounds|adds)$'"] }]);
  });

  it('run without new tests the second time, unless changed tests may need these', async () => {
    const newTestFiles = ['tests/__init__.py'];
    const { runs } = await see({ newTestFiles });
    expect(runs[0]?.tree).toEqual({ commit: 'done', overlays: [{ from: 'base', paths: newTestFiles }] });
    expect((await see({ newTestFiles, oldTests: ['tests/test_a.py'] })).runs[0]?.tree).toEqual({ commit: 'done' });
  });

  it('are flaky if they fail the second time', async () => {
    expect((await see({ again: failingRun('adds') })).seen).toEqual({ stillFailing: [], flaky: ['adds'], unseen: [] });
  });

  it('still fail if they fail in the tests of the result or of the base, without a second run', async () => {
    const { seen, runs } = await see({ result: failingRun('rounds'), baseTests: { failing: ['adds'] } });
    expect([seen.stillFailing, runs]).toEqual([NAMES, []]);
  });

  it('still fail if their command fails and names no test', async () => {
    const nameless = verifiedAs('failed', { passed: 1, failed: 2 }, 'the names are cut');
    expect((await see({ result: nameless })).seen.stillFailing).toEqual(NAMES);
  });

  it('are unseen if the runner finds no test when only they are selected', async () => {
    const none = verifiedAs('passed', { passed: 0 });
    expect((await see({ again: none })).seen.unseen).toEqual(NAMES);
    expect((await see({ again: none, baseTests: { wereRun: true } })).seen.unseen).toEqual([]);
  });

  it('are left out if they are known to be flaky', async () => {
    const { seen, runs } = await see({ result: failingRun(...NAMES), flakyTests: NAMES });
    expect([seen.stillFailing, runs]).toEqual([[], []]);
  });
});
