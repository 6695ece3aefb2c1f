import { describe, expect, it } from 'vitest';
import { byRole, fakeParts, findingWith, taskOf, Visit, WORKTREE } from '../coding.fixture.js';
import { FIX_REVIEWER, lookAtFix } from './look-at-fix.js';

const FINDING = findingWith('F-001', { title: 'A hole', file: 'src/a.mjs', line: 3 });

const NOT_READ = 'The finding "A hole" has a fix that no other agent could read';

interface World {
  readonly diff?: string;
  readonly finding?: typeof FINDING;
  readonly unreviewed?: readonly string[];
}

/** With a list of answers, each reviewer gives the next one. */
async function look(
  answer: object | readonly object[],
  { diff = '+fixed', finding = FINDING, unreviewed = [] }: World = {},
) {
  const answers = Array.isArray(answer) ? [...(answer as readonly object[])] : null;
  const next = (): object => (answers ? (answers.shift() ?? {}) : answer);
  const world = fakeParts({ agent: byRole({ [FIX_REVIEWER]: next }), diff });
  const context = { findings: [finding], good: { commit: 'good', checkpoint: 1 }, unreviewedFixes: unreviewed };
  const { activity } = new Visit(context);
  const task = taskOf('T-001', { kind: 'finding', finding: 'F-001' });
  return {
    ...world,
    outcome: await lookAtFix(world.parts, activity, WORKTREE, { task, commit: 'left' }),
  };
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
        newFailures: ['The finding "A hole" is not fixed: only renamed'],
        worst: { output: 'only renamed' },
      },
    });
  });

  describe.each([
    ['answers with something else', { output: { verdict: 'fine' } }],
    ['fails', { kind: 'failed', code: 'AGENT_UNAVAILABLE', message: 'm', said: '', commit: 'left' }],
  ])('if that agent %s', (_title, answer) => {
    it('is read by the next tier, whose answer counts', async () => {
      const fixed = await look([answer, { output: { isFixed: true, why: 'closed' } }]);
      expect([fixed.outcome, fixed.asked.map(({ tier }) => tier)]).toMatchObject([
        { kind: 'held', patch: { unreviewedFixes: [] } },
        ['medium', 'large'],
      ]);
      expect((await look([answer, { output: { isFixed: false, why: 'open' } }])).outcome.kind).toBe('failed');
    });

    it('is an open point if the next tier has no answer either', async () => {
      const { outcome, asked } = await look(answer);
      expect([outcome, asked.length]).toMatchObject([{ kind: 'held', patch: { unreviewedFixes: ['F-001'] } }, 2]);
      expect(outcome).not.toHaveProperty('patch.confirmedFix');
    });

    it('is taken back if the finding is aside', async () => {
      const { outcome } = await look(answer, { finding: { ...FINDING, relation: 'aside' } });
      expect(outcome).toMatchObject({ kind: 'failed', comparison: { newFailures: [NOT_READ] } });
    });
  });

  it('is no open point any more once an agent has read it', async () => {
    const { outcome } = await look({ output: { isFixed: true, why: 'closed' } }, { unreviewed: ['F-001', 'F-002'] });
    expect(outcome).toMatchObject({ kind: 'held', patch: { unreviewedFixes: ['F-002'] } });
  });

  it('is looked for by that agent too if nothing was changed, whatever the engineer says', async () => {
    const { outcome, asked } = await look({ output: { isFixed: false, why: 'it is there' } }, { diff: '' });
    expect(outcome).toMatchObject({
      kind: 'failed',
      comparison: { newFailures: ['The finding "A hole" is not fixed: it is there'] },
    });
    expect(asked[0]?.prompt).toContain('Nothing was changed');
    const denied = await look({ output: { isFixed: true, why: 'there is none' } }, { diff: '' });
    expect(denied.outcome).toMatchObject({
      kind: 'held',
      patch: { confirmedFix: { finding: 'F-001', commit: 'left' } },
    });
  });

  it('is not read if it is aside and nothing was changed, or if it is of the lowest urgency', async () => {
    expect((await look({}, { diff: '', finding: { ...FINDING, relation: 'aside' } })).asked).toEqual([]);
    expect((await look({}, { finding: { ...FINDING, priority: 'P2' } })).asked).toEqual([]);
  });

  it('stops if the budget is spent', async () => {
    const answer = { kind: 'over-budget', breaker: { by: 'usd' }, commit: 'left' };
    expect((await look(answer)).outcome).toMatchObject({ kind: 'stopped', outcome: answer });
  });
});
