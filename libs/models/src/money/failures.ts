import { EngineBug } from '#kernel';
import type { BudgetExceeded } from '../model-desk.port.js';
import type { ModelError } from '../model-error.js';

/**
 * Of the failures of a tier's models the one to act on: where a model only wants to be waited for, the project goes on
 * by itself, so that comes before whatever the others said, and before a fallback that the budget has no room for; the
 * last one otherwise.
 */
export function mostHopeful(
  failures: readonly ModelError[],
  tooDear: BudgetExceeded | null,
): ModelError | BudgetExceeded {
  const last = failures.at(-1);
  if (!last) throw new EngineBug('NO_MODEL', 'a tier without any model was asked');
  if (last.remedy === 'cancelled') return last;
  const waiting = failures.filter(({ remedy }) => remedy === 'wait');
  return waiting.toSorted((a, b) => (a.resetAt ?? Infinity) - (b.resetAt ?? Infinity))[0] ?? tooDear ?? last;
}
