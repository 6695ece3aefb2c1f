/** A count of tokens as a provider reports it; null for what is none. */
export function tokenCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** A text as a provider sends it; empty for what is none. */
export function wireText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
