import type { Usage } from '../model.port.js';
import type { Amount } from './ledger.port.js';

/** Nano-dollars for a million tokens of each class. */
export interface ClassPrices {
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint;
  /** Kept by the provider for minutes. */
  readonly cacheWrite: bigint;
  /** Kept for an hour, for callers that ask for it. */
  readonly longCacheWrite: bigint;
  readonly reasoning: bigint;
}

/** Prompts of more tokens than `above` cost these prices, all of their tokens. */
export interface Threshold {
  readonly above: number;
  readonly classes: ClassPrices;
}

export interface Price {
  /** Which table said so, and since when: kept with every call. */
  readonly version: string;
  readonly classes: ClassPrices;
  /** The lowest first. */
  readonly thresholds: readonly Threshold[];
}

/** The most that a call can take: tokens of every class of its prompt, and of its answer. */
export interface CallBound {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of its prompt, what no cache is known to hold; all of it where unset. */
  readonly uncachedTokens?: number;
  /** Whether it may write to a cache that is kept for an hour. */
  readonly hasLongCache?: boolean;
}

const MILLION = 1_000_000n;
const FREE: ClassPrices = { input: 0n, output: 0n, cacheRead: 0n, cacheWrite: 0n, longCacheWrite: 0n, reasoning: 0n };

/** Of answers that no model gave. */
export const SIMULATED_PRICE: Price = { version: 'simulated', classes: FREE, thresholds: [] };

/** Whole nano-dollars, rounded up. */
export function costOf(usage: Usage, price: Price, hasLongCache = false): bigint {
  const classes = classesAt(price, usage.input + usage.cacheRead + usage.cacheWrite);
  const reasoning = Math.min(usage.reasoning, usage.output);
  return perMillion(
    BigInt(usage.input) * classes.input +
      BigInt(usage.output - reasoning) * classes.output +
      BigInt(reasoning) * classes.reasoning +
      BigInt(usage.cacheRead) * classes.cacheRead +
      BigInt(usage.cacheWrite) * (hasLongCache ? classes.longCacheWrite : classes.cacheWrite),
  );
}

/** What a call may cost at most: all of it in the dearest class of the dearest threshold that it can reach. */
export function mostOf({ inputTokens, outputTokens, hasLongCache = false }: CallBound, price: Price): bigint {
  const reachable = [
    price.classes,
    ...price.thresholds.filter(({ above }) => inputTokens > above).map((t) => t.classes),
  ];
  const dearest = (prices: (classes: ClassPrices) => bigint[]): bigint => greatest(reachable.flatMap(prices));
  const input = dearest(({ input, cacheRead, cacheWrite, longCacheWrite }) => [
    input,
    cacheRead,
    hasLongCache ? longCacheWrite : cacheWrite,
  ]);
  const output = dearest((classes) => [classes.output, classes.reasoning]);
  return perMillion(BigInt(inputTokens) * input + BigInt(outputTokens) * output);
}

/** Tokens as the token breaker counts them: what was read from a cache is not among them. */
export const countedTokens = ({ input, output, cacheWrite }: Usage): number => input + output + cacheWrite;

/**
 * Money for all of the prompt in its dearest class, tokens only for what no cache is known to hold: a cache reads the
 * rest as a rule, and reads do not count. Where it forgot, the call counts more tokens than were set aside.
 */
export const reservationOf = (bound: CallBound, price: Price): Amount => ({
  nanoUsd: mostOf(bound, price),
  tokens: Math.min(bound.uncachedTokens ?? bound.inputTokens, bound.inputTokens) + bound.outputTokens,
});

function classesAt({ classes, thresholds }: Price, promptTokens: number): ClassPrices {
  return thresholds.findLast(({ above }) => promptTokens > above)?.classes ?? classes;
}

const perMillion = (nano: bigint): bigint => (nano + MILLION - 1n) / MILLION;

const greatest = (values: readonly bigint[]): bigint => values.reduce((most, value) => (value > most ? value : most));
