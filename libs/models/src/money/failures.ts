import { EngineBug } from '#kernel';
import type { BudgetExceeded } from '../model-desk.port.js';
import type { ModelError } from '../model-error.js';

/** Of a provider or its model, not of the request: another one may have the right key, or hold more. */
const ITS_OWN: ReadonlySet<string> = new Set([
  'MODEL_BAD_KEY',
  'MODEL_FORBIDDEN',
  'MODEL_UNKNOWN',
  'MODEL_REDIRECTED',
  'MODEL_TLS',
  'MODEL_UNREACHABLE',
  'MODEL_REQUEST_TOO_LARGE',
  'MODEL_CONTEXT_EXCEEDED',
]);

/** Whether the tier's next model is worth asking. What is refused for what it says would be refused there too. */
export function isForNextModel({ code, remedy }: Pick<ModelError, 'code' | 'remedy'>): boolean {
  return remedy === 'retry' || remedy === 'wait' || (remedy === 'give-up' && ITS_OWN.has(code));
}

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
