import { describe, expect, it } from 'vitest';
import { saidByPeople, settledNotes } from './notes.js';

const plan = { summary: 'A module', steps: [{ title: 'write it', check: 'npm test' }] };
const decided = (gate: string, decision: string, feedback: string) => ({ decision: { gate, decision, feedback } });

describe('what was settled', () => {
  it('is what was answered, the plan, and what was said with its approval', () => {
    const settled =
      'Which? Answered: dark\nThe approved plan: A module\n1. write it (npm test)\nSaid with the approval: Soon.';
    const known = { assumptions: 'Which? Answered: dark', plan };
    expect(settledNotes({ context: { ...known, ...decided('plan', 'approve', 'Soon.') } })).toBe(settled);
    expect(
      settledNotes({ context: { ...known, approval: 'Soon.', ...decided('resolve-problem', 'resolve', 'x') } }),
    ).toBe(settled);
    expect(settledNotes({ context: { plan, ...decided('plan', 'revise', 'Smaller.') } })).not.toContain('Smaller.');
    expect(settledNotes({ context: {} })).toBe('');
  });
});

it('what people said at a block, and with the approval, is told to whoever works next', () => {
  const context = { approval: 'Soon.', ...decided('resolve-problem', 'resolve', 'Use the other port.') };
  expect(saidByPeople({ context })).toEqual(['A person says: Use the other port.', 'Said with the approval: Soon.']);
});
