import type { Json } from '#kernel';
import type { Usage } from '../model.port.js';
import { tokenCount } from './wire-values.js';

/** What OpenAI's two protocols have in common. */

/** The API takes letters, digits, `_` and `-`. */
export function schemaName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 64) || 'output';
}

/** Arguments as they were given; those that were no JSON are a text already. */
export function argumentsText(input: Json): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

interface Counts {
  readonly input: unknown;
  readonly output: unknown;
  readonly cacheRead: unknown;
  readonly cacheWrite: unknown;
  readonly reasoning: unknown;
}

/** Their input counts include what was read from and written to the cache. Null: nothing was said that can be true. */
export function openaiUsage(counts: Counts): Usage | null {
  const input = tokenCount(counts.input);
  const output = tokenCount(counts.output);
  // Some servers fill in zeros for what they do not count.
  if (input === null || output === null || input + output === 0) return null;
  const cacheRead = tokenCount(counts.cacheRead) ?? 0;
  const cacheWrite = tokenCount(counts.cacheWrite) ?? 0;
  if (cacheRead + cacheWrite > input) return null;
  return {
    input: input - cacheRead - cacheWrite,
    output,
    cacheRead,
    cacheWrite,
    reasoning: Math.min(tokenCount(counts.reasoning) ?? 0, output),
  };
}
