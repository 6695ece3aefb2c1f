import type { AgentOutcome } from '#agents';
import { type Tier, TIERS } from '#models';

/** What an agent ran out of, what was wrong with its final output, or that its model refused. */
export type ContinueReason = 'turns' | 'time' | 'context' | 'output' | 'refusal';

export interface NextTry {
  readonly tier: Tier;
  /** The commit that the fresh conversation starts from: the files as the last one left them. */
  readonly from: string;
  readonly why: ContinueReason;
}

const REASONS: ReadonlyMap<string, ContinueReason> = new Map([
  ['AGENT_TURNS_EXHAUSTED', 'turns'],
  ['AGENT_TIMED_OUT', 'time'],
  ['AGENT_IDLE', 'time'],
  ['MODEL_CONTEXT_EXCEEDED', 'context'],
  ['AGENT_OUTPUT_INVALID', 'output'],
  ['AGENT_ANSWER_CUT', 'output'],
  ['AGENT_SILENT', 'output'],
  ['MODEL_REFUSED', 'refusal'],
]);

/** With the first try. The second one has the same tier, the third one the next tier. */
const MAX_TRIES = 3;

/**
 * How a task continues after a try; null if its outcome stands. `tries` are the tiers of the tries so far, the last one
 * included. Outages, waits and a spent budget are no reason for another try: it would meet the same. A model that refused
 * would refuse again, so the next tier follows at once.
 */
export function nextTry(outcome: AgentOutcome, tries: readonly Tier[]): NextTry | null {
  const last = tries.at(-1);
  if (outcome.kind !== 'failed' || last === undefined || tries.length >= MAX_TRIES) return null;
  const why = REASONS.get(outcome.code);
  const tier = tries.length === 1 && why !== 'refusal' ? last : nextTier(last);
  return why === undefined || tier === null ? null : { tier, from: outcome.commit, why };
}

/** Null if there is none. */
export const nextTier = (tier: Tier): Tier | null => TIERS[TIERS.indexOf(tier) + 1] ?? null;
