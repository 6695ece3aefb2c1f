import { describe, expect, it } from 'vitest';
import { taskOf } from '../coding/coding.fixture.js';
import { surroundingsOf } from '../coding/execute-input.js';
import { saidByPeople } from '../coding/notes.js';
import { LONGEST_FEEDBACK } from '../shared/feedback-room.js';
import { checkPrompt } from './check.prompt.js';
import { stepFor } from './step-for.js';
import { stepPrompt } from './step.prompt.js';

const long = (what: string): string => `${what} ${'x'.repeat(LONGEST_FEEDBACK - what.length - 8)} to here`;
const estimate = { low: 1, expected: 1, high: 1 };
const step = {
  id: 'T-001', title: 'Write it', detail: 'All of it', check: 'It is there', file: null, role: { agent: 'docs-writer', instructions: '' },
  skills: [], request: 'A report', said: [], asked: [], isCutShort: false, cents: estimate, minutes: estimate, command: null,
  diff: '', attempts: [], surroundings: surroundingsOf({ context: {} }),
}; // prettier-ignore

describe('what a person says to whoever carries out a step', () => {
  it('is told whole: with the approval, at a block and as an answer', () => {
    const context = {
      approval: long('approved'),
      block: { cause: 'agent' },
      decision: { gate: 'resolve-problem', decision: 'resolve', feedback: long('resolved') },
    };
    const said = saidByPeople({ context });
    const asked = [{ task: 'T-001', question: 'q'.repeat(4_000), answer: long('answered') }];
    const prompt = stepPrompt.render({ ...step, said, asked });
    for (const words of ['approved', 'resolved', 'answered']) expect(prompt.split(long(words))).toHaveLength(2);
  });

  it('is told whole where it is the step itself, to its judge as well', () => {
    const task = taskOf('T-009', { kind: 'feedback', title: 'Mend it', detail: long('wanted') });
    const known = stepFor({ context: {} }, task);
    expect(stepPrompt.render({ ...step, ...known, skills: [] })).toContain(long('wanted'));
    expect(checkPrompt.render({ ...known, request: '', files: [], deleted: [], ran: '', refusal: '' })).toContain(long('wanted')); // prettier-ignore
    expect(known.check).toBe('What a person asked for is done: all that the step says');
  });
});
