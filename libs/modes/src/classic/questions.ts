import { z } from 'zod';
import type { Json, JsonObject } from '#kernel';

/** What the request leaves open, with what is assumed where nobody answers. */
export const Questions = z.object({
  questions: z.array(
    z.object({
      question: z.string(),
      why: z.string().describe('What depends on the answer'),
      fallback: z.string().describe('The safe default: what is assumed where nobody answers'),
    }),
  ),
});

export interface Question {
  readonly id: string;
  readonly question: string;
  readonly why: string;
  readonly fallback: string;
}

const MOST_QUESTIONS = 7;

export const numbered = ({ questions }: z.infer<typeof Questions>): readonly Question[] =>
  questions.slice(0, MOST_QUESTIONS).map(({ question, why, fallback }, nth) => ({
    id: `Q${String(nth + 1)}`,
    question: question.slice(0, 1_000),
    why: why.slice(0, 1_000),
    fallback: fallback.slice(0, 1_000),
  }));

/** As a person reads them at the gate. */
export const asked = (questions: readonly Question[]): string =>
  [
    ...questions.map(
      ({ id, question, why, fallback }) => `${id}: ${question}\n  why: ${why}\n  otherwise: ${fallback}`,
    ),
    'Answer with {"decision": "answer", "answers": {"Q1": "…"}}; what is left out gets its default.',
  ].join('\n');

export interface Settled extends Question {
  readonly answer: string;
  readonly isAssumed: boolean;
}

const LONGEST_ANSWER = 4_000;

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Each question with its answer, or with the default where there is none. Answers are somebody's input: any JSON. */
export function settled(questions: readonly Question[], answers: Json): readonly Settled[] {
  const given = isObject(answers) ? answers : {};
  return questions.map((question) => {
    const value = Object.hasOwn(given, question.id) ? given[question.id] : undefined;
    const answer = typeof value === 'string' ? value.trim().slice(0, LONGEST_ANSWER) : '';
    return { ...question, answer: answer === '' ? question.fallback : answer, isAssumed: answer === '' };
  });
}

/** What agents are told of it. */
export const settledWords = (all: readonly Settled[]): string =>
  all
    .map(({ question, answer, isAssumed }) => `${question} ${isAssumed ? 'Assumed' : 'Answered'}: ${answer}`)
    .join('\n');
