import { type JsonObject, UserError } from '#kernel';
import type { SaidDecision } from '../mode.js';
import { mustHaveRoom } from '../shared/feedback-room.js';
import { admitAtOfferedGates } from '../shared/optional-gates.js';

/** A plan is not written again without a word about it, nor with more than its planner is told. */
export function admitAtWorkGates(said: SaidDecision, context: JsonObject): void {
  admitAtOfferedGates(said);
  if (said.gate === 'plan' && said.decision === 'revise' && !said.feedback?.trim()) {
    throw new UserError('FEEDBACK_REQUIRED', 'Revising a plan needs feedback. Say in `feedback` what must change.');
  }
  mustHaveRoom(said, context);
}
