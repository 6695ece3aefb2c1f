/** A text as a provider sends it; empty for what is none. */
export function wireText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
