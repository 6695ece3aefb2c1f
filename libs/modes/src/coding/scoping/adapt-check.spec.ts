import { describe, expect, it } from 'vitest';
import type { VerifyReport } from '#workspace';
import { byRole, fakeParts, Visit, WORKTREE } from '../coding.fixture.js';
import { checkWith, greenRun, planWith, redRun } from '../proof/proof.fixture.js';
import { adaptCheck } from './adapt-check.js';
import { CHECK_AUTHOR } from './author-checks.js';

const check = checkWith('C-002');
const COMMAND = 'node adapted.mjs';

async function adapt(run: (commit: string) => VerifyReport, outcome: object = {}) {
  const output = { checks: [{ part: 1, title: 'It is dark', files: [], command: COMMAND, why: '' }] };
  const world = fakeParts({
    agent: byRole({ [CHECK_AUTHOR]: () => ({ commit: 'authored', output, ...outcome }) }),
    verify: run,
    added: ['adapted.mjs'],
    files: { 'adapted.mjs': 'x' },
  });
  const { activity } = new Visit({ commit: 'done', requestPlan: planWith(), checks: [check] });
  const wish = { check, commit: 'done', why: 'the export has another name' };
  return { ...world, adapted: await adaptCheck(world.parts, activity, WORKTREE, wish) };
}

describe('a check that was ruled wrong', () => {
  it('is written again by its author, keeps its number, and decides on the result', async () => {
    const { adapted, cleanRuns, asked, resets } = await adapt((at) => (at === 'base' ? redRun() : greenRun()));
    expect(adapted).toMatchObject({
      kind: 'done',
      isGreen: true,
      check: { id: 'C-002', isAdapted: true, command: COMMAND },
    });
    expect(cleanRuns.map(({ tree }) => tree.commit)).toEqual(['base', 'base', 'done']);
    expect(asked).toMatchObject([{ role: CHECK_AUTHOR, tier: 'large' }]);
    expect(asked[0]?.prompt).toContain('the export has another name');
    expect(asked[0]?.prompt).toContain(check.command);
    expect(resets).toEqual(['done']);
  });

  it('is gone if its successor passes on the base', async () => {
    expect((await adapt(() => greenRun())).adapted).toEqual({ kind: 'done', check: null, isGreen: false });
  });

  it('still fails if its successor fails on the result', async () => {
    expect((await adapt(() => redRun())).adapted).toMatchObject({ check: { isAdapted: true }, isGreen: false });
  });

  it('waits if its author has to wait', async () => {
    const outcome = { kind: 'waits', reason: 'rate-limit', ms: 5, words: 'later' };
    expect((await adapt(() => redRun(), outcome)).adapted).toMatchObject({ kind: 'stopped', outcome });
  });
});
