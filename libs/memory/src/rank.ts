import type { MemoryEntry, MemoryKind } from '#contracts';

/** An entry that shares words with the question. */
export interface Candidate {
  readonly entry: MemoryEntry;
  /** How well its words fit, as the store measured it. */
  readonly textRank: number;
  /** Since it was learnt, or learnt again. */
  readonly ageMs: number;
}

export const HALF_LIFE_MS = 30 * 24 * 3_600_000;
export const SAME_DOMAIN = 1.5;

/**
 * By what an entry saves its reader: what worked saves the search, what failed saves one wrong try, a decision says
 * which ways are open, and an error that was seen says only that it may come. All of them weigh less than a shared
 * domain: an entry about something else is of no use, whatever its kind.
 */
export const KIND_WEIGHTS: Readonly<Record<MemoryKind, number>> = {
  successful_workaround: 1.3,
  failed_approach: 1.2,
  architectural_decision: 1.1,
  error_pattern: 1,
};

/** Best first, each with its score; equals keep their order. */
export function ranked(candidates: readonly Candidate[], domains: readonly string[]): readonly MemoryEntry[] {
  const wanted = new Set(domains.map(folded));
  return candidates
    .map((candidate) => ({ ...candidate.entry, score: scoreOf(candidate, wanted) }))
    .sort((one, other) => other.score - one.score);
}

function scoreOf({ entry, textRank, ageMs }: Candidate, wanted: ReadonlySet<string>): number {
  const recency = 2 ** (-amount(ageMs) / HALF_LIFE_MS);
  const domain = entry.domains.some((one) => wanted.has(folded(one))) ? SAME_DOMAIN : 1;
  return amount(textRank) * recency * domain * KIND_WEIGHTS[entry.kind];
}

/** A clock may have been set back, and a measure may be none: neither may spoil the order of the others. */
const amount = (number: number): number => (number > 0 ? Math.min(number, Number.MAX_SAFE_INTEGER) : 0);

const folded = (domain: string): string => domain.trim().toLowerCase();
