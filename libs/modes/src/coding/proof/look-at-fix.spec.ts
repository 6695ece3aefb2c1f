import { describe, expect, it } from 'vitest';
import { byRole, fakeParts, findingWith, taskOf, Visit, WORKTREE } from '../coding.fixture.js';
import { FIX_REVIEWER, lookAtFix } from './look-at-fix.js';

const FINDING = findingWith('F-001', { title: 'A hole', file: 'src/a.mjs', line: 3 });

async function look(
  answer: object,
  { diff = '+fixed', finding = FINDING }: { diff?: string; finding?: typeof FINDING } = {},
) {
  const world = fakeParts({ agent: byRole({ [FIX_REVIEWER]: () => answer }), diff });
  const { activity } = new Visit({ findings: [finding], good: { commit: 'good', checkpoint: 1 } });
  const task = taskOf('T-001', { kind: 'finding', finding: 'F-001' });
  return { ...world, outcome: await lookAtFix(world.parts, activity, WORKTREE, { task, commit: 'left' }) };
}

describe('the fix of a finding', () => {
  it('is read by an agent that did not make it', async () => {
    const { outcome, asked } = await look({ output: { isFixed: true, why: 'closed' } });
    expect(outcome.kind).toBe('held');
    expect(asked).toMatchObject([{ role: FIX_REVIEWER, tier: 'medium', access: 'read' }]);
    for (const words of ['A hole', 'src/a.mjs:3', '+fixed']) expect(asked[0]?.prompt).toContain(words);
  });

  it('does not count if that agent says no', async () => {
    const { outcome } = await look({ output: { isFixed: false, why: 'only renamed' } });
    expect(outcome).toMatchObject({
      kind: 'failed',
      comparison: {
        isCheck: true,
        newFailures: ['F-001 is not fixed: only renamed'],
        worst: { output: 'only renamed' },
      },
    });
  });

  it.each([
    ['answers with something else', { output: { verdict: 'fine' } }],
    ['fails', { kind: 'failed', code: 'AGENT_TIMED_OUT', message: 'm', said: '', commit: 'left' }],
  ])('is not held up if that agent %s', async (_title, answer) => {
    expect((await look(answer)).outcome.kind).toBe('held');
  });

  it('is not read if nothing was changed, or if it is of the lowest urgency', async () => {
    expect((await look({}, { diff: '' })).asked).toEqual([]);
    expect((await look({}, { finding: { ...FINDING, priority: 'P2' } })).asked).toEqual([]);
  });

  it('stops if the budget is spent', async () => {
    const answer = { kind: 'over-budget', breaker: { by: 'usd' }, commit: 'left' };
    expect((await look(answer)).outcome).toMatchObject({ kind: 'stopped', outcome: answer });
  });
});
