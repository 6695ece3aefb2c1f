import { describe, expect, it } from 'vitest';
import { eventOf, fakeParts, taskOf, Visit } from '../coding/coding.fixture.js';
import { planWork } from './plan.activity.js';

const estimate = { low: 0.1, expected: 0.2, high: 0.5 };
const P0 = { priority: 'P0', title: 'The key is public', body: '', file: null, line: null, confidence: 1 };
const step = {
  title: 'Write it', detail: '', owner: 'docs-writer', skills: [], check: 'It is there', command: null, file: null,
  costUsd: estimate, minutes: estimate,
}; // prettier-ignore

/** `second` is what a planner says that is asked again. */
async function planned(said: object, context: Readonly<Record<string, unknown>> = {}, second: object = said) {
  const { parts, pages, resets, asked } = fakeParts({
    agent: ({ attempt }) => ({
      output: {
        ...{ summary: 'A plan', domains: [], steps: [step], risks: [], findings: [] },
        ...(attempt === 1 ? said : second),
      },
    }),
  });
  const visit = new Visit(context, { state: 'PLANNING' });
  return { ...eventOf(await planWork(parts)(visit.activity)), pages, resets, tiers: asked.map(({ tier }) => tier) };
}

describe('PLANNING', () => {
  it('asks the next tier once if a plan has no step, and keeps what both planners came across', async () => {
    const P1 = { ...P0, priority: 'P1', title: 'The page is old' };
    const { type, patch, tiers } = await planned({ steps: [], findings: [P0] }, {}, { findings: [P1] });
    expect([type, tiers]).toEqual(['plan:ready', ['medium', 'large']]);
    expect(patch['findings']).toMatchObject([{ title: P0.title }, { title: P1.title }]);
  });

  it('asks no second planner for a plan that has a step', async () => {
    expect((await planned({})).tiers).toEqual(['medium']);
  });

  it('blocks without a step, and keeps what the planner came across: a P0 is one for the full team', async () => {
    const { type, patch, tiers } = await planned({ steps: [], findings: [P0] });
    expect(tiers).toHaveLength(2);
    expect([type, patch['block']]).toEqual(['work:blocked', expect.objectContaining({ cause: 'agent' })]);
    expect(patch).toMatchObject({ findings: [{ priority: 'P0', title: P0.title }], isPlanDraft: true });
  });

  it('shows whoever approves it the whole of a command', async () => {
    const command = `node check.js ${'a'.repeat(1_500)} end-of-it`;
    const { type, pages } = await planned({ steps: [{ ...step, command }] });
    expect([type, pages.get('PLAN.md')?.includes('end-of-it')]).toEqual(['plan:ready', true]);
  });

  it('keeps what is done, takes back what was begun, and leaves no question open', async () => {
    const { patch, resets } = await planned(
      {},
      {
        good: { commit: 'good', checkpoint: 1 },
        commit: 'begun',
        tasks: [
          taskOf('T-001', { kind: 'step', status: 'completed', commit: 'good' }),
          taskOf('T-002', { kind: 'step', status: 'in_progress' }),
          taskOf('T-003', { kind: 'step' }),
        ],
        asked: [
          { task: 'T-002', question: 'Which one?', answer: 'The first.' },
          { task: 'T-002', question: 'For whom?', answer: null },
        ],
        decision: { gate: 'plan', decision: 'revise', feedback: 'Shorter.' },
      },
    );
    expect(patch['tasks']).toMatchObject([{ id: 'T-001', status: 'completed' }, { title: 'Write it', status: 'pending' }]); // prettier-ignore
    expect([patch['asked'], patch['feedback'], patch['commit'], resets]).toEqual([[], ['Shorter.'], 'good', ['good']]);
  });
});
