import type { Answer, ClaimedDelivery, Verdict } from './delivery.port.js';
import { retryDelayMs } from './schedule.js';

/** The receiver, or what stands before it, is overloaded. A name that nobody resolves concerns all messages as well. */
const THROTTLES: ReadonlySet<number> = new Set([429, 502, 504]);
/** Where it does not say how long. */
const USUAL_REST_MS = 5_000;

export interface Outcome extends Answer {
  /** Its name has no address now, or nobody said which. */
  readonly isUnresolved: boolean;
  readonly retryAfterMs: number | null;
}

/** What follows from an attempt: 2xx alone is success. */
export function verdictOf(
  { tries }: Pick<ClaimedDelivery, 'tries'>,
  { status, error, isUnresolved, retryAfterMs }: Outcome,
  retries: readonly number[],
  random: number,
): Verdict {
  if (error === null) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone', reason: 'it answered 410 Gone' };
  const delayMs = retryDelayMs(retries, tries, retryAfterMs, random);
  if (delayMs === null) return { kind: 'failed', reason: error };
  const needsRest = isUnresolved || (status !== null && THROTTLES.has(status));
  const restMs = needsRest ? (retryAfterMs ?? Math.min(USUAL_REST_MS, delayMs)) : null;
  return { kind: 'retry', delayMs, restMs };
}
