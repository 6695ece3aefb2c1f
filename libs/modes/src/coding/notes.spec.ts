import { describe, expect, it } from 'vitest';
import { findingWith, taskOf } from './coding.fixture.js';
import { notesFor, saidByPeople, settledNotes } from './notes.js';

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

describe('what whoever works next is told', () => {
  it('is what people said at the block and with the approval; and what was settled, learnt, done and suggested', () => {
    const context = {
      approval: 'Soon.',
      memories: ['failed_approach: a lock'],
      tasks: [taskOf('T-001', { title: 'tests', status: 'completed', commit: '0123456789' })],
      findings: [findingWith('F-001', { priority: 'P2', title: 'a name', file: 'a.mjs' })],
      ...decided('resolve-problem', 'resolve', 'Use the other port.'),
    };
    expect(saidByPeople({ context })).toEqual(['A person says: Use the other port.', 'Said with the approval: Soon.']);
    expect(notesFor({ context })).toEqual([
      'learnt before: failed_approach: a lock',
      'done: T-001 tests (01234567)',
      'a reviewer suggests: a name (a.mjs)',
    ]);
  });
});
