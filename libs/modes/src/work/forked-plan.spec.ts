import { describe, expect, it } from 'vitest';
import { forkedContext } from '../shared/forked-context.js';
import { capWords } from './plan-page.js';

const range = { low: 1, expected: 10, high: 250 };
const plan = { summary: 'A plan', domains: [], steps: [{ cents: range }, { cents: range }], risks: [], proofCents: 250, capUsd: '8.70', usedUsd: '1.20' }; // prettier-ignore

describe('a plan that waits for approval in a fork', () => {
  it('asks for its steps alone, where nothing is used, and says so at the gate', () => {
    const why = `# Plan of 001-x\n\n${capWords(plan)}\n\n## Request`;
    const forked = forkedContext({ plan, isPlanDraft: true, why }, '002-x');
    expect(forked['plan']).toEqual({ ...plan, capUsd: '7.50', usedUsd: '0.00' });
    expect(forked['why']).toBe(
      `# Plan of 001-x\n\n${capWords({ ...plan, capUsd: '7.50', usedUsd: '0.00' })}\n\n## Request`,
    );
  });

  it('stays as it was approved, or as another mode wrote it', () => {
    expect(forkedContext({ plan }, '002-x')['plan']).toEqual(plan);
    const other = { summary: 'One of classic mode', steps: [] };
    expect(forkedContext({ plan: other, isPlanDraft: true }, '002-x')['plan']).toEqual(other);
  });
});
