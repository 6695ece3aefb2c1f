import type { AgentOutcome } from '#agents';
import { type Tier, TIERS } from '#models';

/** What an agent ran out of, what was wrong with its end, its output or its files, or that its model refused. */
export type ContinueReason = 'turns' | 'time' | 'context' | 'output' | 'refusal' | 'crash' | 'files';

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
  ['MODEL_REQUEST_TOO_LARGE', 'context'],
  ['AGENT_OUTPUT_INVALID', 'output'],
  ['AGENT_ANSWER_CUT', 'output'],
  ['AGENT_SILENT', 'output'],
  ['MODEL_REFUSED', 'refusal'],
  ['AGENT_FAILED', 'crash'],
  ['AGENT_KILLED', 'crash'],
  ['AGENT_DID_NOTHING', 'crash'],
  ['AGENT_TOO_MUCH_OUTPUT', 'crash'],
  ['AGENT_TOO_MUCH_MEMORY', 'crash'],
  ['AGENT_TOO_MUCH_DISK', 'crash'],
  ['AGENT_TOO_MANY_PROCESSES', 'crash'],
  ['AGENT_FILES_REFUSED', 'files'],
]);

/** Whether the conversation did not fit into the model. It says nothing about a larger model. */
export const isTooLong = (code: string): boolean => REASONS.get(code) === 'context';

/** With the first try. The second one has the same tier, the third one the next tier. */
const MAX_TRIES = 3;

/**
 * How a task continues after a try; null if its outcome stands. `tries` are the tiers of the tries so far, the last one
 * included, and `start` is the commit that the last one began from. Outages, waits and a spent budget are no reason for
 * another try: it would meet the same.
 */
export function nextTry(outcome: AgentOutcome, tries: readonly Tier[], start: string): NextTry | null {
  const last = tries.at(-1);
  if (outcome.kind !== 'failed' || last === undefined || tries.length >= MAX_TRIES) return null;
  const why = REASONS.get(outcome.code);
  if (why === undefined) return null;
  const tier = tierOfNext(why, tries.length, last, outcome.commit !== start);
  return tier === null ? null : { tier, from: outcome.commit, why };
}

function tierOfNext(why: ContinueReason, tries: number, last: Tier, hasChanged: boolean): Tier | null {
  // A model that refused would refuse again.
  if (why === 'refusal' || tries > 1) return nextTier(last);
  // Without a change, the same model would meet the same prompt.
  if (why === 'context' && !hasChanged) return nextTier(last) ?? last;
  return last;
}

/** Null if there is none. */
export const nextTier = (tier: Tier): Tier | null => TIERS[TIERS.indexOf(tier) + 1] ?? null;
