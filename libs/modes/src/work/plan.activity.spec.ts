import { describe, expect, it } from 'vitest';
import { eventOf, fakeParts, taskOf, Visit } from '../coding/coding.fixture.js';
import { planWork } from './plan.activity.js';

const estimate = { low: 0.1, expected: 0.2, high: 0.5 };
const P0 = { priority: 'P0', title: 'The key is public', body: '', file: null, line: null, confidence: 1 };
const step = {
  title: 'Write it', detail: '', owner: 'docs-writer', skills: [], check: 'It is there', command: null, file: null,
  costUsd: estimate, minutes: estimate,
}; // prettier-ignore

async function planned(said: object, context: Readonly<Record<string, unknown>> = {}) {
  const output = { summary: 'A plan', domains: [], steps: [step], risks: [], findings: [], ...said };
  const { parts, pages, resets } = fakeParts({ agent: () => ({ output }) });
  const visit = new Visit(context, { state: 'PLANNING' });
  return { ...eventOf(await planWork(parts)(visit.activity)), pages, resets };
}

describe('PLANNING', () => {
  it('blocks without a step, and keeps what the planner came across: a P0 is one for the full team', async () => {
    const { type, patch } = await planned({ steps: [], findings: [P0] });
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
