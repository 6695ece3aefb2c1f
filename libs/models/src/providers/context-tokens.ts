import type { ModelRef } from '../model.port.js';

export const DEFAULT_CONTEXT_TOKENS = 200_000;

/** How much the models hold at once that differ from the default; by how their names begin, the longest first. */
const KNOWN: readonly (readonly [string, number])[] = [
  ['gpt-3.5', 16_385],
  ['gpt-4.1', 1_000_000],
  ['gpt-4o', 128_000],
  ['gpt-4', 128_000],
  ['gpt-5', 272_000],
];

/** How many tokens the model can hold at once; `told` says it by `provider:model` or by the model's name. */
export function contextTokensOf({ provider, model }: ModelRef, told: Readonly<Record<string, number>> = {}): number {
  for (const name of [`${provider}:${model}`, model]) {
    const tokens = Object.hasOwn(told, name) ? told[name] : undefined;
    if (tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0) return tokens;
  }
  return KNOWN.find(([prefix]) => model.startsWith(prefix))?.[1] ?? DEFAULT_CONTEXT_TOKENS;
}
