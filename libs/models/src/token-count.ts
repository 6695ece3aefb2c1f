/** More than any provider serves at once: a larger number is no number of tokens. */
const MOST_TOKENS = 1_000_000_000;

/** A count of tokens as a provider reports it; null for what is none. */
export function tokenCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_TOKENS ? value : null;
}
