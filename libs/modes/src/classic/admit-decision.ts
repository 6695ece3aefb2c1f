import { type JsonObject, UserError } from '#kernel';
import type { SaidDecision } from '../mode.js';
import { mustHaveRoom } from '../shared/feedback-room.js';
import { admitAtOfferedGates } from '../shared/optional-gates.js';
import { mustAnswer, questionsIn } from './questions.js';

/** At the gates of classic mode: answers belong to questions, and a plan is not written again without a word about it. */
export function admitDecision(said: SaidDecision, context: JsonObject): void {
  const { gate, decision, feedback, answers } = said;
  admitAtOfferedGates(said);
  if (gate === 'clarify' && answers !== undefined) mustAnswer(questionsIn(context), answers);
  if (gate === 'plan' && decision === 'revise' && !feedback?.trim()) {
    throw new UserError('FEEDBACK_REQUIRED', 'say in `feedback` what is to change in the plan');
  }
  mustHaveRoom(said, context);
}
