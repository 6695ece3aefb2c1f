import { z } from 'zod';
import { type Json, type JsonObject, UserError } from '#kernel';

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

export const questionsIn = (context: JsonObject): readonly Question[] =>
  (context['questions'] as unknown as readonly Question[] | undefined) ?? [];

const MOST_QUESTIONS = 7;
const LONGEST = 1_000;

/** A model may leave out what it was asked for: no question goes without a default and a reason. */
export const numbered = ({ questions }: z.infer<typeof Questions>): readonly Question[] =>
  questions
    .filter(({ question }) => question.trim() !== '')
    .slice(0, MOST_QUESTIONS)
    .map(({ question, why, fallback }, nth) => ({
      id: `Q${String(nth + 1)}`,
      question: question.slice(0, LONGEST),
      why: why.trim().slice(0, LONGEST) || 'no reason was given',
      fallback: fallback.trim().slice(0, LONGEST) || 'the smallest change that can be taken back',
    }));

/** As a person reads them at the gate, which is open for so long. */
export const asked = (questions: readonly Question[], ms: number): string =>
  [
    ...questions.map(
      ({ id, question, why, fallback }) => `${id}: ${question}\n  why it matters: ${why}\n  default: ${fallback}`,
    ),
    'Answer with {"decision": "answer", "answers": {"Q1": "…"}}. A question that you leave out gets its default. ' +
      `After ${String(Math.round(ms / 1_000))} seconds without an answer, all questions get their defaults.`,
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

/** Refuses answers of which something would be thrown away: whoever gave them would wait in vain for its effect. */
export function mustAnswer(questions: readonly Question[], answers: Json): void {
  const refuse = (why: string): never => {
    throw new UserError('ANSWERS_INVALID', `${why}; write "answers": {"Q1": "…"}, and leave out what has its default`, {
      questions: questions.map(({ id }) => id),
    });
  };
  if (!isObject(answers)) return refuse('answers must be an object with a text for each question');
  for (const [id, answer] of Object.entries(answers)) {
    if (!questions.some((question) => question.id === id)) {
      refuse(`there is no question ${id.slice(0, 100)}, asked are ${questions.map((one) => one.id).join(', ')}`);
    }
    if (typeof answer !== 'string' || answer.length > LONGEST_ANSWER) {
      refuse(`the answer to ${id} must be a text of at most ${String(LONGEST_ANSWER)} characters`);
    }
  }
}

/** What agents are told of it. */
export const settledWords = (all: readonly Settled[], besides: string): string =>
  [
    ...all.map(({ question, answer, isAssumed }) => `${question} ${isAssumed ? 'Assumed' : 'Answered'}: ${answer}`),
    ...(besides === '' ? [] : [`Said besides: ${besides}`]),
  ].join('\n');
