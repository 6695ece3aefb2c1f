import type { AgentOutcome } from '#agents';
import { isOutage, type Unfinished } from './run-agent.js';

/** The outcome, if the activity cannot go on after it: it waits, its budget is spent, or no model answered. */
export function stopOf(outcome: AgentOutcome): Unfinished | null {
  if (outcome.kind === 'finished') return null;
  return outcome.kind !== 'failed' || isOutage(outcome) ? outcome : null;
}
