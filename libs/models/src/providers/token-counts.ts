import type { Usage, UsageSoFar } from '../model.port.js';
import { tokenCount } from '../token-count.js';

/** One that may be left out, and is 0 then; null for what is no count. */
const optionalCount = (value: unknown): number | null =>
  value === undefined || value === null ? 0 : tokenCount(value);

/** Anthropic's names of what it counts. */
export const ANTHROPIC_COUNTS = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'output_tokens_details',
] as const;
export type AnthropicCounts = Partial<Record<(typeof ANTHROPIC_COUNTS)[number], unknown>>;

/** Null: nothing was said that can be true. A report is as good as its worst number: each of them is paid for. */
export function anthropicUsage(counts: AnthropicCounts): Usage | null {
  const input = tokenCount(counts.input_tokens);
  const output = tokenCount(counts.output_tokens);
  const cacheRead = optionalCount(counts.cache_read_input_tokens);
  const cacheWrite = optionalCount(counts.cache_creation_input_tokens);
  if (input === null || output === null || cacheRead === null || cacheWrite === null) return null;
  const details = counts.output_tokens_details as { thinking_tokens?: unknown } | null | undefined;
  return { input, output, cacheRead, cacheWrite, reasoning: partOf(output, details?.thinking_tokens) };
}

/**
 * Of an answer that is still coming. Anthropic says what it was sent before anything else; of those who pretend to be
 * Anthropic some begin with zeros, and say nothing by that.
 */
export function usageSoFar(usage: Usage | null): UsageSoFar | null {
  return usage && usage.input + usage.cacheRead + usage.cacheWrite > 0 ? { soFar: usage } : null;
}

export interface OpenaiCounts {
  readonly input: unknown;
  readonly output: unknown;
  readonly cacheRead: unknown;
  readonly cacheWrite: unknown;
  readonly reasoning: unknown;
}

/** Their input counts include what was read from and written to the cache. Null: nothing was said that can be true. */
export function openaiUsage(counts: OpenaiCounts): Usage | null {
  const input = tokenCount(counts.input);
  const output = tokenCount(counts.output);
  // Some servers fill in zeros for what they do not count.
  if (input === null || output === null || input + output === 0) return null;
  const cacheRead = optionalCount(counts.cacheRead);
  const cacheWrite = optionalCount(counts.cacheWrite);
  if (cacheRead === null || cacheWrite === null || cacheRead + cacheWrite > input) return null;
  return {
    input: input - cacheRead - cacheWrite,
    output,
    cacheRead,
    cacheWrite,
    reasoning: partOf(output, counts.reasoning),
  };
}

/** What was thought is counted with what was said. */
const partOf = (output: number, reasoning: unknown): number => Math.min(tokenCount(reasoning) ?? 0, output);
