import { type JsonObject, UserError } from '#kernel';
import type { SaidDecision } from '../mode.js';
import { mustAnswer, questionsIn } from './questions.js';

/** At the gates of classic mode: answers belong to questions, and a plan is not written again without a word about it. */
export function admitDecision({ gate, decision, feedback, answers }: SaidDecision, context: JsonObject): void {
  if (gate === 'clarify' && answers !== undefined) mustAnswer(questionsIn(context), answers);
  if (gate === 'plan' && decision === 'revise' && !feedback?.trim()) {
    throw new UserError('FEEDBACK_REQUIRED', 'say in `feedback` what is to change in the plan');
  }
}
