import { describe, expect, it } from 'vitest';
import { fakeParts, verifiedAs, Visit } from './coding.fixture.js';
import { describeBaseline, prepareReview } from './prepare-review.js';
import { failingRun } from './proof/proof.fixture.js';

async function prepare(context: object = {}, isSetUp = true) {
  const world = fakeParts({ verify: () => failingRun('old'), isSetUp });
  const visit = new Visit({ ...context }, { state: 'REVIEWING' });
  return { ...world, visit, prepared: await prepareReview(world.parts, visit.activity) };
}

describe('before the reviewers start', () => {
  it('the tests of the base run once in the clean room, and the map is made', async () => {
    const { prepared, cleanRuns } = await prepare();
    expect(prepared).toMatchObject({
      kind: 'ready',
      patch: { baseline: { verdict: 'failed' }, repositoryMap: 'map', conventions: '' },
    });
    expect(cleanRuns).toMatchObject([{ tree: { commit: 'base' }, commands: null }]);
  });

  it('the map is made while the tests run', async () => {
    const { parts, cleanRuns } = fakeParts({ verify: () => failingRun('old') });
    const runsDuringMap: number[] = [];
    const map = async () => {
      await new Promise(setImmediate);
      runsDuringMap.push(cleanRuns.length);
      return { map: 'map', conventions: '' };
    };
    const worktrees = Object.assign(parts.worktrees, { map });
    await prepareReview({ ...parts, worktrees }, new Visit({}, { state: 'REVIEWING' }).activity);
    expect(runsDuringMap).toEqual([1]);
  });

  it('nothing is done again on a later visit', async () => {
    const { prepared, visit } = await prepare({ baseline: failingRun(), repositoryMap: '' });
    expect([prepared, visit.steps]).toEqual([{ kind: 'ready', patch: {} }, []]);
  });

  it('a baseline that is there stays, and only the map is made', async () => {
    const { prepared, cleanRuns } = await prepare({ baseline: failingRun() });
    expect([cleanRuns, prepared]).toMatchObject([
      [],
      { patch: { baseline: { verdict: 'passed' }, repositoryMap: 'map' } },
    ]);
  });

  it('the project blocks if the repository cannot be set up', async () => {
    const { prepared, cleanRuns } = await prepare({}, false);
    expect([prepared, cleanRuns]).toMatchObject([{ kind: 'blocked', report: { type: 'work:blocked' } }, []]);
  });
});

describe('the baseline as reviewers read it', () => {
  const describeIn = (context: object): string => describeBaseline(new Visit({ ...context }).activity);

  it('says how each command ended, and names the failing tests', () => {
    const text = describeIn({ baseline: failingRun('rounds', 'sorts') });
    expect(text).toMatch(
      /^npm test: exit code 1, 1 passed, 2 failed\nFailing tests:\nrounds\nsorts\n\nWhat was printed/,
    );
  });

  it('shows what was printed about each failing test', () => {
    const output = 'not ok 1 - rounds\n  expected 2, got 3\nnot ok 2 - sorts\n  expected a, got b';
    const text = describeIn({ baseline: verifiedAs('failed', { passed: 1, failed: 2 }, output) });
    expect(text).toMatch(/What was printed about them:\nrounds\n[^]*expected 2, got 3\n\nsorts\n[^]*expected a, got b/);
  });

  it('says if no test fails, and nothing without a baseline', () => {
    expect(describeIn({ baseline: failingRun() })).toMatch(/No test fails\.$/);
    expect(describeIn({})).toBe('');
  });

  it('names at most a hundred failing tests', () => {
    const names = Array.from({ length: 150 }, (_, nth) => `test ${String(nth)}`);
    const [listed] = describeIn({ baseline: failingRun(...names) }).split('\n\n');
    expect(listed?.split('\n')).toHaveLength(102);
  });
});
