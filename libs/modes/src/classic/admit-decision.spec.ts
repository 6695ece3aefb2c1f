import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import type { SaidDecision } from '../mode.js';
import { admitDecision } from './admit-decision.js';
import { numbered } from './questions.js';

const raw = { question: 'Which theme comes first?', why: 'it is the default', fallback: 'light' };
const context = { questions: numbered({ questions: [raw, raw] }) as unknown as Json };
const saying = (said: SaidDecision) => (): void => admitDecision(said, context);
const answering = (answers: Json) => saying({ gate: 'clarify', decision: 'answer', answers });

describe('at the questions', () => {
  it.each<[string, Json]>([
    ['a question that nobody asked', { Q1: 'dark', Q9: 'x' }],
    ['a number in lower case', { q1: 'dark' }],
    ['something that is no text', { Q1: 7 }],
    ['a list', ['dark']],
    ['nothing but words', 'dark'],
    ['an answer that would be cut', { Q1: 'x'.repeat(4_001) }],
    ['a name of every object', { constructor: 'x' }],
  ])('an answer is refused, not thrown away: %s', (_, answers) => {
    expect(answering(answers)).toThrowError(
      expect.objectContaining({ code: 'ANSWERS_INVALID', details: { questions: ['Q1', 'Q2'] } }),
    );
  });

  it('some answers, empty ones, or none at all are in order', () => {
    for (const answers of [{ Q2: 'no' }, { Q1: '' }, {}]) expect(answering(answers)).not.toThrow();
    expect(saying({ gate: 'clarify', decision: 'answer' })).not.toThrow();
  });
});

describe('at the plan', () => {
  it.each([undefined, '', ' \n'])('a revision needs a word about it: %j', (feedback) => {
    const said = { gate: 'plan', decision: 'revise', ...(feedback !== undefined && { feedback }) };
    expect(saying(said)).toThrowError(expect.objectContaining({ code: 'FEEDBACK_REQUIRED' }));
  });

  it('a word is enough, and an approval needs none', () => {
    expect(saying({ gate: 'plan', decision: 'revise', feedback: 'shorter' })).not.toThrow();
    expect(saying({ gate: 'plan', decision: 'approve' })).not.toThrow();
  });
});
