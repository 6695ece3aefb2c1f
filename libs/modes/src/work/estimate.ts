import { nanoOf, usdOf } from '#models';

export interface Range {
  readonly low: number;
  readonly expected: number;
  readonly high: number;
}

/** Beyond any honest step. */
const MOST_CENTS = 1_000_000;
const MOST_MINUTES = 100_000;
const CENTS = 100;
const NANO_PER_CENT = 10_000_000n;

/** Whatever a model makes of the three: whole numbers in their order, within bounds. */
function tidied({ low, expected, high }: Range, least: number, most: number): Range {
  const [one = least, other = least, last = least] = [low, expected, high]
    .map((value) => (Number.isFinite(value) ? Math.ceil(Math.min(Math.max(value, least), most)) : most))
    .sort((a, b) => a - b);
  return { low: one, expected: other, high: last };
}

/** A step costs at least a cent: a plan that costs nothing would set a cap under which nothing can be done. */
export const centsOf = ({ low, expected, high }: Range): Range =>
  // Two decimals of a binary fraction: 0.29 * 100 is a little more than 29.
  tidied({ low: inCents(low), expected: inCents(expected), high: inCents(high) }, 1, MOST_CENTS);

const inCents = (usd: number): number => Number((usd * CENTS).toFixed(4));

export const minutesOf = (minutes: Range): Range => tidied(minutes, 1, MOST_MINUTES);

export const totalOf = (ranges: readonly Range[]): Range =>
  ranges.reduce(
    (sum, { low, expected, high }) => ({
      low: sum.low + low,
      expected: sum.expected + expected,
      high: sum.high + high,
    }),
    { low: 0, expected: 0, high: 0 },
  );

/** The least that planning, checks and proof are allowed: a call is reserved for the longest answer that it may have. */
const LEAST_PROOF_CENTS = 100;
const PROOF_SHARE = 0.5;

/** What the plan of the request, its checks and its proof may cost beside the steps. */
export const proofCentsFor = (highCents: number): number =>
  Math.max(LEAST_PROOF_CENTS, Math.ceil(highCents * PROOF_SHARE));

/** What approving a plan sets the cap to: what it may cost in all, and what is used already, rounded up to cents. */
export function capFor({ highCents, proofCents }: { highCents: number; proofCents: number }, usedUsd: string): string {
  const nano = BigInt(highCents + proofCents) * NANO_PER_CENT + nanoOf(usedUsd);
  return usdOf(((nano + NANO_PER_CENT - 1n) / NANO_PER_CENT) * NANO_PER_CENT);
}

/** Cents as an amount in USD. */
export const formatUsd = (cents: number): string => (cents / CENTS).toFixed(2);

export const costWords = ({ low, expected, high }: Range): string =>
  `${formatUsd(expected)} USD, from ${formatUsd(low)} to ${formatUsd(high)}`;

export const timeWords = ({ low, expected, high }: Range): string =>
  `${String(expected)} ${expected === 1 ? 'minute' : 'minutes'}, from ${String(low)} to ${String(high)}`;
