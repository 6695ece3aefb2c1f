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
      ({ id, question, why, fallback }) => `${id}: ${question}\n  why: ${why}\n  otherwise: ${fallback}`,
    ),
    'Answer with {"decision": "answer", "answers": {"Q1": "…"}}; what is left out gets its default, ' +
      `and so does everything ${String(Math.round(ms / 1_000))} seconds after it was asked.`,
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
  const given = new Map(isObject(answers) ? Object.entries(answers).map(([id, value]) => [idOf(id), value]) : []);
  return questions.map((question) => {
    const answer = wordsOf(given.get(question.id) ?? null);
    return { ...question, answer: answer === '' ? question.fallback : answer, isAssumed: answer === '' };
  });
}

/** What a person said and no question asked for: it is lost to nobody. */
export function saidBesides(questions: readonly Question[], answers: Json, remark: string): string {
  const asked = new Set(questions.map(({ id }) => id));
  const others = isObject(answers)
    ? Object.entries(answers).flatMap(([id, value]) => (asked.has(idOf(id)) ? [] : [`${id}: ${wordsOf(value)}`]))
    : [wordsOf(answers)];
  return [...others, remark.trim()]
    .filter((words) => words !== '')
    .join('\n')
    .slice(0, LONGEST_ANSWER);
}

const idOf = (written: string): string => written.trim().toUpperCase();

/** Yes, 3 and a list are answers as good as a text is. */
function wordsOf(value: Json): string {
  const words = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  return words.trim().slice(0, LONGEST_ANSWER);
}

/** What agents are told of it. */
export const settledWords = (all: readonly Settled[], besides: string): string =>
  [
    ...all.map(({ question, answer, isAssumed }) => `${question} ${isAssumed ? 'Assumed' : 'Answered'}: ${answer}`),
    ...(besides === '' ? [] : [`Said besides: ${besides}`]),
  ].join('\n');
