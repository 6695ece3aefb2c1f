import { durationInWords, type Json } from '#kernel';
import { brief } from './bounded-text.js';
import type { KeptAnswer } from './kept-answer.js';
import type { KeptTurn } from './tools-step.js';

/** A task that fails is a value, not an exception; one that ends well says what its last message was. */
export type End =
  { readonly kind: 'finished'; readonly text: string; readonly said: string; readonly output: Json } | FailedEnd;

type FailedEnd = { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly text?: string };

const failed = (code: string, message: string): FailedEnd => ({ kind: 'failed', code, message });

export const outOfTurns = (turns: number): FailedEnd =>
  failed('AGENT_TURNS_EXHAUSTED', `max turns reached: ${String(turns)}`);

export const outOfTime = (wallMs: number): FailedEnd =>
  failed('AGENT_TIMED_OUT', `not done within ${durationInWords(wallMs)} of work`);

export const CUT_TWICE: FailedEnd = failed('AGENT_ANSWER_CUT', 'answers were cut twice in a row');

export const refusedByModel = ({ text }: KeptAnswer): FailedEnd =>
  failed('MODEL_REFUSED', `the model refused the task: ${brief(text, 500) || 'no reason given'}`);

/** Null if the commands of the turn left git's own files alone. */
export function touchedGitEnd({ touchedGit = [] }: KeptTurn): FailedEnd | null {
  if (touchedGit.length === 0) return null;
  const files = brief(touchedGit.join(', '), 1_000);
  return failed('AGENT_TOUCHED_GIT', `git's own files changed while commands ran: ${files}`);
}
