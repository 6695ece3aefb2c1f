import { describe, expect, it } from 'vitest';
import type { VerifyReport } from '#workspace';
import { byRole, fakeParts, verifiedAs, Visit, WORKTREE } from '../coding.fixture.js';
import { MUTANT_MAKER, tryMutant } from './mutant.js';
import { failingRun, fileOf } from './proof.fixture.js';

const changed = { oldTests: [], newTestFiles: ['test/a.test.mjs'], newTestConfiguration: [] };

interface World {
  /** Files that the agent changed. */
  readonly broken?: readonly string[];
  readonly failing?: VerifyReport;
  /** What the tests say of the same variant later, if they say something else. */
  readonly later?: VerifyReport;
  readonly ofOldTests?: VerifyReport;
  readonly outcome?: object;
}

async function attempt({
  broken = ['src/a.mjs'],
  failing = failingRun('new'),
  later = failing,
  ofOldTests = failingRun(),
  outcome = { output: { summary: 'rounds down' } },
}: World) {
  let runs = 0;
  const world = fakeParts({
    agent: byRole({ [MUTANT_MAKER]: () => outcome }),
    between: (from, to) => (from === 'done' && to === 'left' ? { files: broken.map((path) => fileOf(path)) } : null),
    files: Object.fromEntries(broken.map((path) => [path, 'wrong'])),
    clean: ({ tree }) => (tree.overlays ? ofOldTests : (runs += 1) === 1 ? failing : later),
  });
  const { activity } = new Visit({ baseline: failingRun('old'), flakyTests: ['shaky'] });
  return { ...world, tried: await tryMutant(world.parts, activity, WORKTREE, { commit: 'done', changed }) };
}

describe('a wrong variant of the code', () => {
  it('is killed if a new test fails on it; the files are put back', async () => {
    const { tried, cleanRuns, resets } = await attempt({});
    expect(tried).toEqual({ kind: 'tried', isKilled: true, summary: 'rounds down' });
    expect(cleanRuns[0]?.tree).toEqual({ commit: 'done', files: [{ path: 'src/a.mjs', content: 'wrong' }] });
    expect(resets).toEqual(['done']);
  });

  it('lives if the test that fails on it passes in a second run', async () => {
    const later = failingRun();
    expect((await attempt({ later })).tried).toMatchObject({ kind: 'tried', isKilled: false });
  });

  it.each([
    ['nothing fails', failingRun(), failingRun()],
    ['only known and flaky tests fail', failingRun('old', 'shaky'), failingRun()],
    ['tests of the base fail too', failingRun('kept'), failingRun('kept')],
  ])('lives if %s, and a larger model makes another one', async (_title, failing, ofOldTests) => {
    const { tried, asked } = await attempt({ failing, ofOldTests });
    expect(tried).toMatchObject({ kind: 'tried', isKilled: false });
    expect(asked.map(({ tier }) => tier)).toEqual(['medium', 'large']);
  });

  it.each([
    [
      'a file of tests does not load',
      verifiedAs('failed', { failed: 1 }, "SyntaxError: Unexpected token '}'\nnot ok 1 - test/a.test.mjs"),
    ],
    ['no test is named and the code crashes', verifiedAs('failed', null, 'SyntaxError: Unexpected end of input')],
  ])('does not exist if %s: any test would notice that', async (_title, failing) => {
    const { tried, asked } = await attempt({ failing });
    expect(tried).toEqual({ kind: 'none', why: 'No wrong variant of the code was made.' });
    expect(asked.map(({ tier }) => tier)).toEqual(['medium', 'large']);
  });

  it('is killed if a command without names of tests says no by an assertion', async () => {
    const failing = verifiedAs('failed', null, 'AssertionError [ERR_ASSERTION]: 1 !== 2');
    expect((await attempt({ failing })).tried).toMatchObject({ isKilled: true });
  });

  it.each([[['test/a.test.mjs']], [['package.json']], [[]]])('does not exist if %j changed', async (broken) => {
    const { tried, cleanRuns } = await attempt({ broken });
    expect([tried.kind, cleanRuns]).toEqual(['none', []]);
  });

  it('waits if the agent that makes it has to wait', async () => {
    const outcome = { kind: 'waits', reason: 'rate-limit', ms: 5, words: 'later' };
    expect((await attempt({ outcome })).tried).toMatchObject({ kind: 'stopped', outcome });
  });
});
