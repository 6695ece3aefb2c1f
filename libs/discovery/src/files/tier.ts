import type { Capability } from '#contracts';

export type Tier = NonNullable<Capability['tier']>;

const TIERS: readonly Tier[] = ['small', 'medium', 'large'];
const FAMILIES: readonly (readonly [string, Tier])[] = [
  ['haiku', 'small'],
  ['sonnet', 'medium'],
  ['opus', 'large'],
];

/** Of an alias or an id such as `claude-sonnet-5-5`; null for `inherit`, and where nobody knows. */
export function tierOf(model: string | null): Tier | null {
  const name = (model ?? '').toLowerCase();
  return FAMILIES.find(([family]) => name.includes(family))?.[1] ?? TIERS.find((tier) => tier === name.trim()) ?? null;
}

/** The smaller of two; null says nothing. */
export function smallerTier(a: Tier | null, b: Tier | null): Tier | null {
  if (a === null || b === null) return a ?? b;
  return TIERS.indexOf(a) < TIERS.indexOf(b) ? a : b;
}
