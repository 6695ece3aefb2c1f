import type { HealAttempt } from '#contracts';
import { EngineBug } from '#kernel';

export type Tier = HealAttempt['tier'];

/** Which tier makes which attempt at a problem. Its length is how many attempts there are. */
export const LADDER: readonly Tier[] = ['small', 'small', 'medium', 'medium', 'large'];

/** Failures in a row after which the workspace goes back to its last good checkpoint. */
export const ROLLBACK_AT = 3;

/** The tier of an attempt, counted from 1; null when the ladder has no further step. */
export function tierOf(attempt: number, ladder: readonly Tier[] = LADDER): Tier | null {
  if (!Number.isInteger(attempt) || attempt < 1) {
    throw new EngineBug('HEAL_ATTEMPT_INVALID', `attempts are counted from 1, not ${String(attempt)}`);
  }
  return ladder[attempt - 1] ?? null;
}

/**
 * What a failed attempt leads to, given the failures in a row before it. A rollback resets this counter alone: attempts
 * at the problem go on being counted, or the larger models would never have their turn.
 */
export function afterFailure(consecutive: number): { readonly consecutive: number; readonly rollsBack: boolean } {
  const rollsBack = consecutive + 1 >= ROLLBACK_AT;
  return { consecutive: rollsBack ? 0 : consecutive + 1, rollsBack };
}
