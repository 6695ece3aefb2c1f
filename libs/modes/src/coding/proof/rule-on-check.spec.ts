import { describe, expect, it } from 'vitest';
import { byRole, fakeParts, Visit, WORKTREE } from '../coding.fixture.js';
import { contextOf } from '../context.js';
import { CHECK_AUTHOR } from '../scoping/author-checks.js';
import type { Check } from '../scoping/request-plan.js';
import { checkWith, greenRun, planWith, redRun } from './proof.fixture.js';
import { ARBITER, replaceWrongCheck } from './rule-on-check.js';

const OTHER = checkWith('C-002');
const run = { isGreen: false, exitCode: 1, endedBy: 'itself', output: 'it is light' };

interface World {
  readonly check?: Check;
  readonly claim?: string | null;
  readonly ruling?: object;
  /** How the adapted check ends on the base and on the result. */
  readonly base?: 'red' | 'green';
  readonly result?: 'red' | 'green';
}

async function dispute({
  check = checkWith('C-001'),
  claim = 'it asks for a name',
  base = 'red',
  result = 'green',
  ...more
}: World) {
  const { ruling = { output: { isCheckWrong: true, isDemanded: true, why: 'the request leaves the name open' } } } =
    more;
  const adapted = { checks: [{ part: 1, title: 'It is dark', files: [], command: 'node adapted.mjs', why: '' }] };
  const world = fakeParts({
    agent: byRole({ [ARBITER]: () => ruling, [CHECK_AUTHOR]: () => ({ commit: 'authored', output: adapted }) }),
    verify: (commit) => ((commit === 'base' ? base : result) === 'red' ? redRun() : greenRun()),
    diff: '+export const dusk = 1',
  });
  const visit = new Visit({ requestPlan: planWith(), checks: [check, OTHER] });
  const replaced = await replaceWrongCheck(world.parts, visit.activity, WORKTREE, {
    check,
    run,
    commit: 'left',
    claim,
  });
  const checks = contextOf({ context: replaced.patch }).checks;
  return { ...world, visit, replaced, checks, roles: world.asked.map(({ role }) => role) };
}

describe('an agent that says that a check is wrong', () => {
  it('is ignored without a reason', async () => {
    const { replaced, roles } = await dispute({ claim: null });
    expect([replaced, roles]).toEqual([{ kind: 'failed', patch: {} }, []]);
  });

  it('leads to a ruling by a third agent, which reads request, check, output, claim and diff', async () => {
    const { asked, visit } = await dispute({});
    expect(asked[0]).toMatchObject({ role: ARBITER, tier: 'large', access: 'read' });
    for (const words of [
      'Add dark mode',
      'node .qralph-checks/C-001.mjs',
      'it is light',
      'it asks for a name',
      'dusk',
    ]) {
      expect(asked[0]?.prompt).toContain(words);
    }
    expect(visit.facts.get('check.ruled')).toMatchObject({ check: 'C-001', isWrong: true });
  });

  it('has failed if the arbiter says that the check is right', async () => {
    const ruling = { output: { isCheckWrong: false, isDemanded: true, why: 'the request says so' } };
    const { replaced, roles, checks } = await dispute({ ruling });
    expect([replaced.kind, roles, checks]).toEqual(['failed', [ARBITER], undefined]);
  });

  it.each([
    ['answers with something else', { output: { verdict: 'maybe' } }],
    ['fails', { kind: 'failed', code: 'AGENT_TIMED_OUT', message: 'm', said: '', commit: 'left' }],
  ])('has failed if the arbiter %s', async (_title, ruling) => {
    expect((await dispute({ ruling })).replaced.kind).toBe('failed');
  });

  it('is right if the arbiter agrees and the check that its author adapted passes', async () => {
    const { replaced, roles, checks } = await dispute({});
    expect([replaced.kind, roles]).toEqual(['held', [ARBITER, CHECK_AUTHOR]]);
    expect(checks).toMatchObject([{ id: 'C-001', command: 'node adapted.mjs', isAdapted: true, dropped: null }, OTHER]);
  });

  it('has failed if the adapted check still fails on the result; that check counts from now on', async () => {
    const { replaced, checks } = await dispute({ result: 'red' });
    expect([replaced.kind, checks?.[0]]).toMatchObject(['failed', { isAdapted: true, dropped: null }]);
  });

  it('does not hold if the adapted check passes on the base: the check is dropped, and its part has none', async () => {
    const { replaced, checks } = await dispute({ base: 'green' });
    expect([replaced.kind, checks?.[0]?.dropped]).toEqual(['failed', 'the request leaves the name open']);
  });

  it('is ignored if it says so again about an adapted check', async () => {
    const { replaced, roles } = await dispute({ check: checkWith('C-001', { isAdapted: true }) });
    expect([replaced, roles]).toEqual([{ kind: 'failed', patch: {} }, []]);
  });

  it('waits if the arbiter has to wait', async () => {
    const ruling = { kind: 'waits', reason: 'rate-limit', ms: 5, words: 'later' };
    expect((await dispute({ ruling })).replaced).toMatchObject({ kind: 'stopped', outcome: ruling });
  });
});
