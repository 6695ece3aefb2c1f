import type { Domain } from '../domains/detect-domains.js';
import { wordsOf } from '../domains/words.js';

const CONJUNCTIONS = wordsOf('and then also plus additionally furthermore finally').set;
const LIST_ITEM = /^[ \t]{0,8}(?:[-*+]|\d{1,3}[.)])[ \t]/gm;

/** How many a request takes: one more for each further domain, for length, and for the number of things it asks for. */
export function teamSize(
  request: string,
  domains: readonly Domain[],
  { min, max }: { min: number; max: number },
): number {
  const { list } = wordsOf(request);
  const parts =
    list.filter((word) => CONJUNCTIONS.has(word)).length + (request.slice(0, 20_000).match(LIST_ITEM)?.length ?? 0);
  const more = [list.length > 60, list.length > 250, parts >= 3, parts >= 10].filter(Boolean).length;
  return Math.min(max, min + Math.max(0, domains.length - 1) + more);
}
