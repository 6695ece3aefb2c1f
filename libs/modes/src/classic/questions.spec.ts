import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import { asked, numbered, settled, settledWords } from './questions.js';

const raw = (nth: number) => ({
  question: `Question ${String(nth)}?`,
  why: 'it matters',
  fallback: `default ${String(nth)}`,
});
const questions = numbered({ questions: [raw(1), raw(2)] });
const answersTo = (answers: Json): string[] => settled(questions, answers).map(({ answer }) => answer);

describe('questions', () => {
  it('are numbered, at most seven, none without end', () => {
    const many = numbered({
      questions: Array.from({ length: 50 }, (_, nth) => ({ ...raw(nth), question: 'x'.repeat(1e5) })),
    });
    expect(many.map(({ id }) => id)).toEqual(['Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7']);
    expect(asked(many, 1).length).toBeLessThan(10_000);
    expect(numbered({ questions: [] })).toEqual([]);
  });

  it('have a default and a reason also where a model gave none', () => {
    const blank = { question: ' ', why: 'so', fallback: 'light' };
    expect(numbered({ questions: [blank, { question: 'Which?', why: '', fallback: ' \n' }] })).toEqual([
      {
        id: 'Q1',
        question: 'Which?',
        why: 'no reason was given',
        fallback: 'the smallest change that can be taken back',
      },
    ]);
  });

  it('are shown with why they are asked, what is assumed otherwise, and how they are answered', () => {
    expect(asked(questions, 600_000)).toContain('Q2: Question 2?\n  why it matters: it matters\n  default: default 2');
    expect(asked(questions, 600_000)).toContain('"answers": {"Q1": "…"}');
    expect(asked(questions, 600_000)).toContain('After 600 seconds without an answer');
  });
});

describe('answers', () => {
  it('are taken by number; what is left out or empty gets its default', () => {
    expect(answersTo({ Q1: ' dark ' })).toEqual(['dark', 'default 2']);
    expect(answersTo({ Q1: '', Q2: '  \n' })).toEqual(['default 1', 'default 2']);
    expect(settled(questions, { Q2: 'no' }).map(({ isAssumed }) => isAssumed)).toEqual([true, false]);
  });

  it('that are no text are none', () => {
    const others: Json[] = [null, 'Q1', 7, [], ['dark'], { q1: 'dark' }, { Q1: 7, Q2: { Q2: 'x' } }, { Q1: null }];
    for (const answers of others) expect(answersTo(answers)).toEqual(['default 1', 'default 2']);
  });

  it('cannot come from anything but themselves', () => {
    const inherited = JSON.parse('{"__proto__": {"Q1": "evil"}}') as Json;
    expect(answersTo(inherited)).toEqual(['default 1', 'default 2']);
    const odd = [{ id: 'constructor', question: '', why: '', fallback: 'safe' }];
    expect(settled(odd, {})[0]).toMatchObject({ answer: 'safe', isAssumed: true });
  });

  it('are settled whatever JSON they are: one for each question, bounded, and told apart', () => {
    const answers = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom('Q1', 'Q2', 'Q3'), fc.jsonValue()));
    fc.assert(
      fc.property(answers, (given) => {
        const all = settled(questions, given as Json);
        expect(all.map(({ id }) => id)).toEqual(['Q1', 'Q2']);
        for (const one of all) expect(one.isAssumed ? one.fallback : one.answer).toBe(one.answer);
      }),
    );
    expect(answersTo({ Q1: 'x'.repeat(1e6) })[0]).toHaveLength(4_000);
  });

  it('are told to agents with whose they are', () => {
    expect(settledWords(settled(questions, { Q1: 'dark' }), 'and soon')).toBe(
      'Question 1? Answered: dark\nQuestion 2? Assumed: default 2\nSaid besides: and soon',
    );
    expect(settledWords([], '')).toBe('');
  });
});
