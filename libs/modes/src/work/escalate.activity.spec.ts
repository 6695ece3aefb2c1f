import { describe, expect, it } from 'vitest';
import { attemptOf, eventOf, fakeParts, problemOf, taskOf, Visit } from '../coding/coding.fixture.js';
import { escalationNotes } from '../coding/notes.js';
import { escalate } from './escalate.activity.js';

const step = { task: 'T-001', title: 'Write it', check: 'It is there' };
const plan = { summary: 'A plan', domains: [], steps: [step], risks: [], capUsd: '2.00', usedUsd: '0.00' };
const pending = [taskOf('T-001', { kind: 'step' })];
const begun = [taskOf('T-001', { kind: 'step', status: 'in_progress' })];
const question = { task: 'T-001', question: 'For whom?', answer: null };
const decided = (decision: string, feedback: string) => ({ decision: { gate: 'plan', decision, feedback } });

async function escalated(context: object, counters: Record<string, number> = {}) {
  const { parts, caps } = fakeParts();
  const visit = new Visit({ plan, tasks: pending, isPlanDraft: true, ...context }, { state: 'ESCALATE', counters });
  return { ...eventOf(await escalate(parts)(visit.activity)), caps };
}
const stepsIn = (tasks: unknown) => (tasks as { kind: string }[]).filter(({ kind }) => kind === 'step').length;

describe('an escalation', () => {
  it('drops the steps that nobody approved', async () => {
    const { patch, caps } = await escalated({});
    expect([stepsIn(patch['tasks']), caps, patch['escalatedBecause']]).toEqual([0, [], ['a person asked for it']]);
  });

  it('takes up an approval that nothing had taken up yet, with its cap', async () => {
    const { patch, caps } = await escalated(decided('approve', 'Soon.'));
    expect(patch).toMatchObject({ approval: 'Soon.', isPlanDraft: null, decision: null });
    expect([stepsIn(patch['tasks']), caps]).toEqual([1, [expect.objectContaining({ usd: '2.00' })]]);
  });

  it('keeps what was said about a plan that was sent back, and tells the reviewers', async () => {
    const { patch } = await escalated({ feedback: ['Shorter.'], ...decided('revise', 'In two parts.') });
    expect(patch['feedback']).toEqual(['Shorter.', 'In two parts.']);
    expect(escalationNotes({ context: patch })).toContain('a person said about the plan: In two parts.');
  });

  it('counts attempts that a person skipped, and says so', async () => {
    const known = {
      problem: 'P-001',
      problems: [problemOf('P-001', { attempts: [attemptOf(1)] })],
      command: { command: 'SKIP', state: 'SELF_HEAL', visit: 4 },
    };
    const { patch } = await escalated(known, { 'heal-attempts/P-001': 3 });
    expect(patch['escalatedBecause']).toEqual(['3 heal attempts were made']);
    expect(patch['problems']).toMatchObject([
      { status: 'deferred', attempts: [{ number: 1 }, { outcome: 'skipped' }, { why: 'a person skipped it' }] },
    ]);
  });

  it('leaves no question open: the next answer would be taken for one to it', async () => {
    const { patch } = await escalated({ isPlanDraft: null, tasks: begun, asked: [question] });
    expect(patch).toMatchObject({ asked: [], isCutShort: true });
    const answered = await escalated({
      isPlanDraft: null,
      tasks: begun,
      asked: [question],
      ...decided('approve', 'All.'),
    });
    expect(answered.patch).toMatchObject({ asked: [{ ...question, answer: 'All.' }] });
    expect(answered.caps).toEqual([]);
  });
});
