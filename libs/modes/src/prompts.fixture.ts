import type { Surroundings } from './coding/surroundings.js';

/** As many texts as a prompt may be given. */
export const many = (text: string, count = 20): string[] => Array.from({ length: count }, () => text);

/** Surroundings with this text wherever there is one. */
export const surroundingsOf = (text: string): Surroundings => ({
  verify: text,
  inScope: many(text),
  baselineOutput: many(text),
  knownFailures: many(text),
  knownOutput: many(text),
  parts: many(text),
  plan: many(text),
  done: many(text),
  findings: many(text),
  advice: many(text),
  settled: text,
  memories: many(text),
  conventions: text,
  map: text,
  skills: many(text, 5).map((instructions, nth) => ({ name: `skill-${String(nth)}`, instructions })),
});
